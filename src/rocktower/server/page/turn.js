// What has happened to a tower, as a value: a tower and its events go in, what is to be seen
// comes out. No page, no network, no clock.

export const COLORS = ["red", "blue", "yellow", "white"];

/** Colors that count against the limit; white is no color there. */
export const LIMITED = ["red", "blue", "yellow"];

const NONE = Object.freeze({ red: 0, blue: 0, yellow: 0, white: 0 });

/**
 * A tower before its first event.
 *
 * @typedef {object} Story
 * @property {number} n  number of the last event that is known
 * @property {number} turn
 * @property {Array<object>} events  all events, oldest first, each with its turn
 * @property {Array<object>} hits  the hits of this turn
 * @property {Record<string, number>} counts  boulders that came out this turn
 * @property {Record<string, number>} inside
 * @property {Record<string, number>} outside
 * @property {string[][]} table  what lies before the tower, hit by hit
 * @property {boolean} isClosed
 */
export function begin(tower, events) {
  const inside = filled(tower, events[0]);
  const all = sum(tower.inside, tower.outside);
  const start = {
    n: 0,
    turn: 1,
    events: [],
    hits: [],
    counts: NONE,
    inside,
    outside: less(all, inside),
    table: [],
    isClosed: false,
  };
  return events.reduce(follow, start);
}

/** What was in the tower before its first event. */
function filled(tower, first) {
  if (!first) return tower.inside;
  if (first.type === "hit") return sum(first.inside, first.counts);
  return first.type === "drop" ? less(first.inside, first.counts) : first.inside;
}

/** The story after one more event. An event that is known already changes nothing. */
export function follow(story, event) {
  if (event.n <= story.n) return story;
  const all = sum(story.inside, story.outside);
  const inside = event.inside ?? story.inside;
  const next = {
    ...story,
    n: event.n,
    inside,
    outside: less(all, inside),
    events: [...story.events, { ...event, turn: story.turn }],
  };
  if (event.type === "hit") {
    next.hits = [...story.hits, event];
    next.counts = sum(story.counts, event.counts);
  } else if (event.type === "turn") {
    next.turn = story.turn + 1;
    next.hits = [];
    next.counts = NONE;
    next.events.at(-1).turn = next.turn;
  } else if (event.type === "close") {
    next.isClosed = true;
  }
  next.table = laid(next);
  return next;
}

/** What lies before the tower: the hits of this turn, less what has been put back. */
function laid({ hits, counts, outside }) {
  const gone = Object.fromEntries(
    COLORS.map((color) => [color, Math.max(counts[color] - outside[color], 0)]),
  );
  return hits.map((hit) =>
    hit.boulders.filter((color) => (gone[color] > 0 ? (gone[color]--, false) : true)),
  );
}

/**
 * How a turn stands against a limit (hits in a turn, boulders of a color; 0: no limit).
 *
 * @returns {{hits: string, colors: Record<string, string>}} each "free", "reached" or "over"
 */
export function against(story, limit) {
  const stand = (count) => (!limit || count < limit ? "free" : count > limit ? "over" : "reached");
  return {
    hits: stand(story.hits.length),
    colors: Object.fromEntries(
      COLORS.map((color) => [color, LIMITED.includes(color) ? stand(story.counts[color]) : "free"]),
    ),
  };
}

/** The warnings that a change of standing asks for, in words. */
export function warnings(before, after, limit) {
  const lines = COLORS.filter((color) => before.colors[color] !== after.colors[color]).flatMap(
    (color) => {
      if (after.colors[color] === "over") return [`More ${color} boulders than the limit of ${limit}.`];
      if (after.colors[color] === "reached") return [`Color limit reached: ${limit} ${color}.`];
      return [];
    },
  );
  if (before.hits !== after.hits && after.hits !== "free") {
    lines.push(
      after.hits === "over" ? `More hits than the limit of ${limit}.` : `Hit limit reached: ${limit}.`,
    );
  }
  return lines;
}

export function total(counts) {
  return COLORS.reduce((whole, color) => whole + counts[color], 0);
}

/** Counts in words: "2 red, 1 white". */
export function words(counts) {
  const parts = COLORS.filter((color) => counts[color]).map((color) => `${counts[color]} ${color}`);
  return parts.join(", ") || "none";
}

export function sum(a, b) {
  return Object.fromEntries(COLORS.map((color) => [color, (a[color] ?? 0) + (b[color] ?? 0)]));
}

const less = (a, b) => Object.fromEntries(COLORS.map((color) => [color, a[color] - b[color]]));

/** A hit in a sentence, for the line under the tower and for those who listen. */
export function sentence(hit, number) {
  const what =
    hit.total === 0
      ? "an empty hit"
      : `${hit.total} ${hit.total === 1 ? "boulder" : "boulders"}: ${hit.boulders.join(", ")}`;
  return `Hit ${number} of this turn, from the ${hit.strike.side}: ${what}.`;
}
