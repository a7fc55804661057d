// What is written beside the tower: counts against the limit, hits, history.

import { chip } from "./boulder.js";
import { byId, make, unseen } from "./dom.js";
import { against, COLORS, LIMITED, total, words } from "./turn.js";

const LAST_EVENTS = 200;
const SAYS = { free: "", reached: ", limit reached", over: ", over the limit" };

/** Write the state of a turn against a limit (0: none). */
export function showTurn(story, limit) {
  const stand = against(story, limit);
  byId("turn-number").textContent = `Turn ${story.turn}`;
  byId("out-total").textContent = `${total(story.counts)}`;
  byId("counts").replaceChildren(
    ...COLORS.map((color) => row(color, story, LIMITED.includes(color) ? limit : 0, stand)),
  );
  byId("hits-total").textContent = limit
    ? `${story.hits.length} of ${limit}`
    : `${story.hits.length}`;
  byId("hits-total").dataset.stand = stand.hits;
  const hits = story.hits.map((hit, k) => hitLine(hit, k + 1));
  byId("hits").replaceChildren(...hits.reverse());
  byId("hits").hidden = hits.length === 0;
  byId("no-hits").hidden = hits.length > 0;
}

function row(color, story, limit, stand) {
  const count = story.counts[color];
  const standing = stand.colors[color];
  const all = story.inside[color] + story.outside[color];
  const pips = make("span", { className: "pips", "aria-hidden": "true" });
  for (let k = 0; k < Math.max(limit || all, count); k++) {
    pips.append(make("i", { className: k < count ? `pip ${color}` : "pip" }));
    if (limit && k === limit - 1) pips.append(make("i", { className: "stop" }));
  }
  const figures = limit ? `${count} / ${limit}` : `${count}`;
  const told = limit ? `${count} of ${limit}${SAYS[standing]}` : `${count}`;
  return make(
    "li",
    { className: `row ${standing}` },
    chip(color, { isNamed: false }),
    make("span", { className: "color" }, color),
    pips,
    make("b", { "aria-hidden": "true" }, figures),
    unseen(told),
  );
}

function hitLine(hit, number) {
  return make(
    "li",
    { value: number },
    make("p", { className: "faint" }, describe(hit.strike)),
    boulders(hit.boulders),
  );
}

function boulders(colors) {
  if (colors.length === 0) return make("p", { className: "empty" }, "empty hit");
  return make(
    "p",
    { className: "chips" },
    unseen(`${colors.length} out: `),
    ...colors.flatMap((color) => [chip(color), " "]),
  );
}

/** A strike in words. */
export function describe({ side, height, strength }) {
  const power = typeof strength === "string" ? strength : `${Math.round(100 * strength)} % strength`;
  return `${side}, ${Math.round(100 * height)} % high, ${power}`;
}

let written = null; // the story that the history shows

/** Write what has happened, newest first; what is older than the last events is in the log. */
export function showHistory(story) {
  if (story === written) return;
  written = story;
  const lines = story.events.slice(-LAST_EVENTS).map((event) => {
    const time = new Date(event.time);
    const clock = make("time", { dateTime: event.time }, time.toLocaleTimeString());
    return make("li", {}, clock, " ", ...told(event));
  });
  byId("history").replaceChildren(...lines.reverse());
  byId("history-count").textContent = `${story.events.length}`;
}

function told(event) {
  if (event.type === "hit") {
    return [`Hit in turn ${event.turn}, ${describe(event.strike)}. `, boulders(event.boulders)];
  }
  if (event.type === "drop") return [`Put back: ${words(event.counts)}.`];
  if (event.type === "turn") return [`Turn ${event.turn} began.`];
  return ["The tower was closed; its seed is open to all."];
}
