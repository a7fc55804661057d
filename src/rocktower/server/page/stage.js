// The canvas: shows the tower at rest or a film of a hit, and takes aim by mouse or finger.

import { COLORS, words } from "./turn.js";
import { drawScene, Layout } from "./draw.js";
import { woundUp } from "./film.js";

const SMALLEST_PULL = 12; // px: less is a tap, which only aims
const STILL = [0, 0, 0];

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{onAim: (aim: object) => void, onStrike: () => void}} listener
 */
export class Stage {
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.listener = listener;
    this.picture = null;
    this.table = [];
    this.aim = null;
    this.pull = null;
    this.film = null;
    this.isAsked = false;
    this.isEnabled = false;
    this.theme = readTheme(canvas);
    for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"]) {
      window.matchMedia(query).addEventListener("change", () => this.repaint());
    }
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
    new ResizeObserver(() => this.fit()).observe(canvas);
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("pointercancel", () => this.letGo());
    window.addEventListener("keydown", ({ key }) => key === "Escape" && this.letGo());
  }

  /** Take this tower, at rest. */
  show(picture, table) {
    this.picture = picture;
    this.table = table;
    this.fit();
    const left = Object.fromEntries(COLORS.map((color) => [color, 0]));
    picture.boulders.forEach(({ color }, row) => picture.poses[row] && left[color]++);
    const lying = this.table.flat().length;
    this.canvas.setAttribute(
      "aria-label",
      `The tower in section. Inside: ${words(left)}. On the table before it: ${lying}.`,
    );
  }

  /** Show where the next blow is to land. */
  setAim(aim) {
    this.aim = aim;
    this.draw();
  }

  /** Let the canvas take aim or not. */
  enable(isEnabled) {
    this.isEnabled = isEnabled;
    this.canvas.classList.toggle("aims", isEnabled);
    if (!isEnabled) this.letGo();
    this.draw();
  }

  /** Play a film to its end, or until it is skipped. */
  play(film) {
    this.skip();
    return new Promise((done) => {
      this.film = { film, done, since: null };
      this.draw();
    });
  }

  get isPlaying() {
    return this.film !== null;
  }

  /** Jump to the end of the film. */
  skip() {
    const { film } = this;
    this.film = null;
    film?.done();
  }

  repaint() {
    this.theme = readTheme(this.canvas);
    this.draw();
  }

  fit() {
    const { canvas, picture } = this;
    const { width, height } = canvas.getBoundingClientRect();
    if (!picture || !width) return;
    const fine = Math.min(window.devicePixelRatio || 1, 3);
    canvas.width = Math.round(width * fine);
    canvas.height = Math.round(height * fine);
    this.fine = fine;
    this.layout = new Layout(width, height, picture);
    this.paint(performance.now());
  }

  draw() {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame((now) => {
      this.isAsked = false;
      this.paint(now);
    });
  }

  paint(now) {
    if (!this.layout || !this.picture) return;
    const context = this.canvas.getContext("2d");
    context.setTransform(this.fine, 0, 0, this.fine, 0, 0);
    drawScene(context, this.layout, this.scene(now));
    if (this.film) this.draw();
  }

  scene(now) {
    const { picture, table, theme } = this;
    const same = { table, theme, pictureColors: picture.boulders.map(({ color }) => color) };
    if (this.film) {
      const { film } = this.film;
      this.film.since ??= now;
      const time = film.start + (now - this.film.since) / 1000;
      if (time < film.end) return { ...same, ...film.at(time) };
      this.skip();
    }
    const aim = this.isEnabled && this.aim;
    const blow = aim ? { ...aim, gap: woundUp(aim.strength), spark: 0 } : null;
    return { ...same, poses: picture.poses, tower: STILL, flying: [], blow };
  }

  press(event) {
    if (this.film) return this.skip();
    if (!this.isEnabled || !event.isPrimary || event.button !== 0) return this.letGo();
    const aim = this.layout.aimAt(event.offsetX, event.offsetY);
    if (!aim) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.pull = { side: aim.side, from: event.offsetX, isPulled: false };
    this.listener.onAim({ side: aim.side, height: aim.height });
  }

  move(event) {
    if (!this.pull || !event.isPrimary) return;
    const { side, from } = this.pull;
    const distance = (side === "left" ? -1 : 1) * (event.offsetX - from);
    if (distance < SMALLEST_PULL && !this.pull.isPulled) return;
    this.pull.isPulled = true;
    const strength = Math.min(Math.max(distance / this.layout.fullPull, 0), 1);
    this.listener.onAim({ strength });
  }

  release() {
    const isBlow = this.pull?.isPulled;
    this.letGo();
    if (isBlow) this.listener.onStrike();
  }

  letGo() {
    this.pull = null;
  }
}

/** The colors around the tower, which follow light and dark. */
function readTheme(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(name).trim();
  return {
    stage: read("--stage"),
    table: read("--table"),
    tableEdge: read("--table-edge"),
    shadow: read("--shadow"),
  };
}
