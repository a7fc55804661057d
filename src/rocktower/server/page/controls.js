// The forms: strike, put boulders back, limit.

import { chip } from "./boulder.js";
import { byId, make } from "./dom.js";
import { HABITS } from "./film.js";
import { remember, remembered } from "./memory.js";
import { COLORS, total } from "./turn.js";

/** The strike form: the aim, by keys, mouse or finger. */
export class StrikeForm {
  constructor({ onAim, onStrike }) {
    this.form = byId("strike-form");
    this.onAim = onAim;
    this.form.addEventListener("input", () => this.changed());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      onStrike();
    });
    for (const [habit, strength] of Object.entries(HABITS)) {
      byId(habit).addEventListener("click", () => this.take({ strength }));
    }
    this.changed();
  }

  get fields() {
    return this.form.elements;
  }

  /** Side, height (0 to 1) and strength (0 to 1, or a habit's name). */
  get aim() {
    const strength = Number(this.fields.strength.value) / 100;
    const habit = Object.keys(HABITS).find((name) => HABITS[name] === strength);
    return {
      side: this.fields.side.value,
      height: Number(this.fields.height.value) / 100,
      strength: habit ?? strength,
    };
  }

  /** Change a part of the aim. */
  take({ side, height, strength }) {
    if (side !== undefined) this.fields.side.value = side;
    if (height !== undefined) this.fields.height.value = Math.round(100 * height);
    if (strength !== undefined) this.fields.strength.value = Math.round(100 * strength);
    this.changed();
  }

  changed() {
    byId("height-told").textContent = `${this.fields.height.value} %`;
    byId("strength-told").textContent = `${this.fields.strength.value} %`;
    for (const habit of Object.keys(HABITS)) {
      byId(habit).setAttribute("aria-pressed", `${this.aim.strength === habit}`);
    }
    this.onAim(this.aim);
  }

  /** Say why one cannot strike now, or let it be done (empty). */
  set obstacle(why) {
    byId("strike").setAttribute("aria-disabled", `${why !== ""}`);
    byId("strike-note").textContent = why;
  }
}

/** The form that puts boulders back into the tower. */
export class PutBackForm {
  constructor({ onPutBack }) {
    this.form = byId("back-form");
    this.outside = null;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const counts = Object.fromEntries(
        COLORS.map((color) => [color, Number(this.form.elements[color].value)]),
      );
      if (total(counts) > 0) onPutBack(counts);
    });
    byId("back-all").addEventListener("click", () => onPutBack(this.outside));
    byId("back-rows").replaceChildren(...COLORS.map(field));
  }

  /** Follow what is outside. */
  show(outside) {
    this.outside = outside;
    const isEmpty = total(outside) === 0;
    byId("back-none").hidden = !isEmpty;
    this.form.hidden = isEmpty;
    for (const color of COLORS) {
      const input = this.form.elements[color];
      input.max = outside[color];
      input.value = Math.min(Number(input.value), outside[color]);
      input.disabled = outside[color] === 0;
      byId(`out-${color}`).textContent = `of ${outside[color]}`;
    }
  }

  clear() {
    for (const color of COLORS) this.form.elements[color].value = 0;
  }
}

function field(color) {
  const id = `back-${color}`;
  return make(
    "div",
    { className: "back-row" },
    make("label", { htmlFor: id }, chip(color, { isNamed: false }), color),
    make("input", {
      id, name: color, type: "number", min: 0, max: 0, value: 0, inputMode: "numeric",
      "aria-describedby": `out-${color}`,
    }),
    make("span", { id: `out-${color}`, className: "faint" }, "of 0"),
  );
}

/** The limit of hits and of boulders of a color; it stays in this browser, tower by tower. */
export class LimitField {
  constructor(tower, { onLimit }) {
    this.key = `rocktower-limit-${tower}`;
    this.field = byId("limit");
    this.field.value = remembered(this.key) ?? "";
    this.field.addEventListener("input", () => {
      remember(this.key, this.field.value);
      onLimit();
    });
  }

  /** 0 for no limit. */
  get limit() {
    const limit = Number.parseInt(this.field.value, 10);
    return this.field.validity.valid && limit > 0 ? limit : 0;
  }
}
