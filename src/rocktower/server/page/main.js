// The page: the start, or the tower that the link names.

import { ApiError, createTower } from "./api.js";
import { chip } from "./boulder.js";
import { byId, make } from "./dom.js";
import { readFragment, writeFragment } from "./links.js";
import { asSentence, initNotice, notice } from "./notice.js";
import { Table } from "./table.js";
import { COLORS } from "./turn.js";

initNotice();
// Another link opened in this tab is another tower.
window.addEventListener("hashchange", () => window.location.reload());

const keys = readFragment(window.location.hash);
if (keys) openTower(keys);
else showStart();

async function openTower(chosen) {
  show("loading");
  try {
    await new Table(chosen).open();
    show("tower");
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    byId("gone-text").textContent =
      error.code === "unreachable"
        ? `${error.message} The tower is kept; open the link again later.`
        : asSentence(error.message);
    show("gone");
  }
}

function showStart() {
  byId("new-boulders").replaceChildren(
    ...COLORS.map((color) =>
      make(
        "div",
        { className: "back-row" },
        make("label", { htmlFor: `new-${color}` }, chip(color, { isNamed: false }), color),
        make("input", { id: `new-${color}`, name: color, type: "number", min: 0, max: 44, value: 11 }),
      ),
    ),
  );
  byId("new-seed").addEventListener("input", ({ target }) => {
    byId("new-reproducible").disabled = target.value === "";
  });
  byId("create-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = byId("create");
    button.disabled = true;
    notice("");
    try {
      const { tower, player_token: play, spectator_token: watch } = await createTower(wishes());
      const made = { tower: tower.id, play, watch };
      history.replaceState(null, "", writeFragment(made));
      await openTower(made);
      byId("invite").open = true;
      byId("strike").focus({ preventScroll: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      notice(error.message);
    } finally {
      button.disabled = false;
    }
  });
  byId("new-reproducible").disabled = true;
  show("start");
}

function wishes() {
  const fields = byId("create-form").elements;
  const boulders = Object.fromEntries(COLORS.map((color) => [color, Number(fields[color].value)]));
  return {
    boulders,
    ...(fields.name.value.trim() && { name: fields.name.value.trim() }),
    ...(fields.seed.value && {
      seed: Number(fields.seed.value),
      reproducible: fields.reproducible.checked,
    }),
  };
}

function show(part) {
  for (const id of ["loading", "start", "tower", "gone"]) byId(id).hidden = id !== part;
}
