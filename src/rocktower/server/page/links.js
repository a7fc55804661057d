// The links of a tower. What opens it stands behind the #, which browsers never send to a server.

/**
 * @typedef {{tower: string, play: string|null, watch: string|null}} Keys
 */

/** Read the keys of a tower from a fragment; null if it names none. */
export function readFragment(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ""));
  const tower = fields.get("tower");
  const play = fields.get("play");
  const watch = fields.get("watch");
  return tower && (play || watch) ? { tower, play, watch } : null;
}

/** Write the fragment of keys: for a player (who may invite spectators too) or a spectator. */
export function writeFragment({ tower, play, watch }) {
  const fields = new URLSearchParams({ tower });
  if (play) fields.set("play", play);
  if (watch) fields.set("watch", watch);
  return `#${fields}`;
}

/** The whole link, on the page that is open now. */
export function linkTo(keys, page = window.location) {
  return `${page.origin}${page.pathname}${writeFragment(keys)}`;
}
