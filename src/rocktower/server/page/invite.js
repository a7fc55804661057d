// The links to share, with buttons that copy them.

import { byId } from "./dom.js";
import { linkTo } from "./links.js";

/** Fill the card; a spectator has no player link to give away. */
export function showInvite({ tower, play, watch }, isPlayer) {
  byId("invite").hidden = !watch && !isPlayer;
  offer("play", isPlayer && play ? linkTo({ tower, play, watch }) : null);
  offer("watch", watch ? linkTo({ tower, play: null, watch }) : null);
}

function offer(kind, link) {
  byId(`${kind}-offer`).hidden = link === null;
  if (link === null) return;
  const field = byId(`${kind}-link`);
  field.value = link;
  field.onfocus = () => field.select();
  byId(`${kind}-copy`).onclick = async () => {
    byId("copied").textContent = (await copy(field))
      ? `The ${kind === "play" ? "player" : "spectator"} link is copied.`
      : "Copying is not allowed here: the link is selected, copy it by hand.";
  };
}

async function copy(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select(); // plain http has no clipboard; what is selected can be copied by hand
    return false;
  }
}
