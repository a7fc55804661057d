// The tower on a canvas, in section, as the window of the program shows it.

import { drawBoulder } from "./boulder.js";
import { woundUp } from "./film.js";

const WOOD = "#d6b07c";
const WOOD_EDGE = "#74522d";
const INSIDE = "#463932";
const CHAMBER = "#322823";
const HEAD = "#a06a3e";
const BAND = "#764a2a";
const HANDLE = "#c49862";
const HAMMER_EDGE = "#462c18";
const SKIN = "#f0cdb2";
const SKIN_EDGE = "#865c44";
const SLEEVE = "#4e6280";
const SLEEVE_EDGE = "#2d3a50";
const SPARK = "#ffc43c";

const HEAD_LENGTH = 44; // mm
const HEAD_HEIGHT = 26;
const HANDLE_LENGTH = 115;
const FINGER = 5.5; // radius
const PITCH = 1.22; // of the boulders on the table, in edges

/**
 * Where things are on a canvas of a size (CSS px).
 *
 * @param {object} picture  the tower's measures and walls
 */
export class Layout {
  constructor(width, height, picture) {
    this.width = width;
    this.height = height;
    this.picture = picture;
    this.half = picture.width_mm / 2;
    const rows = width < 560 ? 3 : 2;
    const outer = picture.width_mm;
    // The table is as high as the boulders that may come to lie on it.
    const high = picture.height_mm + 26 + rows * 1.1 * PITCH * picture.boulder_mm + 16;
    this.scale = Math.min(height / high, (0.42 * width) / outer);
    const edge = picture.boulder_mm * this.scale;
    this.pitch = PITCH * edge;
    this.base = height - rows * 1.1 * this.pitch - 14;
    this.tableTop = this.base - 14;
    this.center = width / 2;
  }

  /** Side and height (0 to 1) of a place beside the tower, and its distance (px) from the wall. */
  aimAt(x, y) {
    const away = Math.abs(x - this.center) - this.half * this.scale;
    const height = (this.base - y) / this.scale / this.picture.height_mm;
    if (away < -0.35 * this.half * this.scale || height <= 0 || height > 1.04) return null;
    return { side: x < this.center ? "left" : "right", height: Math.min(height, 1), away };
  }

  /** The distance (px) that the hammer is pulled back for full strength. */
  get fullPull() {
    return Math.min(0.72 * (this.center - this.half * this.scale), 240);
  }

  /** Places of boulders on the table, hit by hit with a gap between hits, in centered rows. */
  slots(table) {
    const { pitch } = this;
    const room = this.width - 16;
    const rows = [[]];
    let x = 0;
    let isFirst = true;
    for (const hit of table) {
      if (hit.length && !isFirst) x += 0.55 * pitch;
      for (let k = 0; k < hit.length; k++) {
        if (x + pitch > room) {
          rows.push([]);
          x = 0;
        }
        rows.at(-1).push(x + 0.5 * pitch);
        x += pitch;
        isFirst = false;
      }
    }
    return rows.flatMap((row, k) => {
      const shift = this.center - (row.length ? (row.at(-1) + 0.5 * pitch) / 2 : 0);
      const y = this.base + 10 + (k + 0.5) * 1.06 * pitch;
      return row.map((place) => [place + shift, y]);
    });
  }
}

/**
 * Draw everything.
 *
 * @param {CanvasRenderingContext2D} context
 * @param {Layout} layout
 * @param {object} scene  poses, tower [x, y, tilt], table, flying, blow, theme
 */
export function drawScene(context, layout, scene) {
  const { width, height, center, base, scale } = layout;
  const { theme } = scene;
  context.fillStyle = theme.stage;
  context.fillRect(0, 0, width, height);
  context.fillStyle = theme.table;
  context.fillRect(0, layout.tableTop, width, height - layout.tableTop);
  context.fillStyle = theme.tableEdge;
  context.fillRect(0, layout.tableTop, width, 1.5);
  context.fillStyle = theme.shadow;
  context.beginPath();
  context.ellipse(center, base, layout.half * scale + 11, 6, 0, 0, 2 * Math.PI);
  context.fill();

  context.save();
  context.translate(center, base);
  context.scale(scale, -scale); // mm, y up
  context.lineJoin = "round";
  context.lineWidth = 1.2 / scale;
  drawTower(context, layout.picture, scene);
  const hand = scene.blow?.side === "right" ? -1 : 1;
  posed(context, scene.tower, () => {
    drawHand(context, layout, hand);
    if (layout.picture.cover > 0) drawCover(context, layout.picture);
  });
  if (scene.blow) drawHammer(context, layout, scene.blow);
  context.restore();

  drawTable(context, layout, scene);
  if (scene.blow?.spark) drawSpark(context, layout, scene.blow);
}

function drawTower(context, picture, { tower, poses }) {
  const { inner_width_mm: inner, height_mm: top, floor_mm: floor } = picture;
  posed(context, tower, () => {
    context.fillStyle = INSIDE;
    context.fillRect(-inner / 2, 0, inner, top);
    context.fillStyle = CHAMBER;
    context.fillRect(-inner / 2, 0, inner, floor);
  });
  poses.forEach((pose, row) => {
    if (pose === null) return;
    const [x, y, angle] = pose;
    const { color, edge_mm: edge } = picture.boulders[row];
    drawBoulder(context, color, x / 10, y / 10, angle / 1000, edge);
  });
  posed(context, tower, () => {
    context.fillStyle = WOOD;
    context.strokeStyle = WOOD_EDGE;
    for (const outline of picture.walls) {
      context.beginPath();
      for (const [x, y] of outline) context.lineTo(x, y);
      context.closePath();
      context.fill();
      context.stroke();
    }
  });
}

/** Draw in the frame of the tower, which a blow shifts (0.1 mm) and tilts (mrad). */
function posed(context, [x, y, tilt], draw) {
  context.save();
  context.translate(x / 10, y / 10);
  context.rotate(tilt / 1000);
  draw();
  context.restore();
}

function capsule(context, [x1, y1], [x2, y2], radius, fill, edge) {
  const line = context.lineWidth;
  context.lineCap = "round";
  for (const [width, paint] of [[radius, edge], [radius - line, fill]]) {
    context.lineWidth = 2 * width;
    context.strokeStyle = paint;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.stroke();
  }
  context.lineWidth = line;
}

/** The hand that holds the tower, on the side (1: right) that is not struck. */
function drawHand(context, { half, picture }, side) {
  const back = side * (half + 20);
  const tips = side * (half - 3);
  const y = picture.grip_mm;
  capsule(context, [back + side * 12, y - 2], [back + side * 170, y - 6], 11.5, SKIN, SKIN_EDGE);
  capsule(context, [back + side * 85, y - 4], [back + side * 900, y - 34], 15.5, SLEEVE, SLEEVE_EDGE);
  capsule(context, [back, y + 9], [back, y - 11], 14.5, SKIN, SKIN_EDGE);
  [0.75, 1, 0.95, 0.7].forEach((share, k) => {
    const at = y + (1.5 - k) * 1.9 * FINGER;
    capsule(context, [back, at], [back + share * (tips - back), at], FINGER, SKIN, SKIN_EDGE);
  });
}

/** The hand over the open top. */
function drawCover(context, { cover, inner_width_mm: inner, height_mm: top }) {
  const reach = (cover * inner) / 2;
  const radius = Math.min(6.5, reach);
  const y = top + radius;
  const back = 1.1 * radius;
  capsule(context, [-reach + radius, y + 9], [reach - radius, y + 9], back, SKIN, SKIN_EDGE);
  const count = Math.max(Math.round((2 * reach) / 14.5), 1);
  const width = (2 * reach) / count;
  for (let k = 0; k < count; k++) {
    const left = -reach + k * width;
    const finger = Math.min(radius, 0.44 * width);
    capsule(context, [left + 0.44 * width, y], [left + 0.56 * width, y], finger, SKIN, SKIN_EDGE);
  }
}

/** The hammer, which turns about the hand at the end of its handle. */
function drawHammer(context, layout, { side, height, gap }) {
  const { half, picture } = layout;
  const sign = side === "left" ? -1 : 1;
  const up = height > 0.45 ? -1 : 1;
  // On a narrow screen it swings back less far, so that it stays in the picture.
  const room = layout.center / layout.scale - half - HEAD_LENGTH;
  const farthest = Math.asin(Math.min(Math.max(room / HANDLE_LENGTH, 0.2), 1));
  const turn = (gap / HANDLE_LENGTH) * Math.min(farthest / (woundUp(1) / HANDLE_LENGTH), 1);
  context.save();
  context.translate(
    sign * (half + HEAD_LENGTH / 2),
    height * picture.height_mm + up * HANDLE_LENGTH,
  );
  context.rotate(up * sign * turn);
  const end = -up * HANDLE_LENGTH;
  capsule(context, [0, 10 * up], [0, end], 4.2, HANDLE, HAMMER_EDGE);
  const box = (from, to) => [
    (from * HEAD_LENGTH) / 2, end - HEAD_HEIGHT / 2, ((to - from) * HEAD_LENGTH) / 2, HEAD_HEIGHT,
  ];
  context.fillStyle = HEAD;
  context.fillRect(...box(-1, 1));
  context.fillStyle = BAND;
  context.fillRect(...box(-1, -0.72));
  context.fillRect(...box(0.72, 1));
  context.strokeStyle = HAMMER_EDGE;
  context.strokeRect(...box(-1, 1));
  for (let k = 0; k < 4; k++) {
    const at = up * (k - 1) * 1.6 * FINGER;
    capsule(context, [-7, at], [7, at], 0.85 * FINGER, SKIN, SKIN_EDGE);
  }
  context.restore();
}

function drawSpark(context, layout, { side, height, spark }) {
  const sign = side === "left" ? -1 : 1;
  const x = layout.center + sign * layout.half * layout.scale;
  const y = layout.base - height * layout.picture.height_mm * layout.scale;
  context.strokeStyle = SPARK;
  context.lineCap = "round";
  context.lineWidth = 3 * spark + 1;
  context.beginPath();
  for (let k = 0; k < 7; k++) {
    const turn = Math.PI * (k / 6 - 0.5);
    const [dx, dy] = [sign * Math.cos(turn), Math.sin(turn)];
    const [near, far] = [10 + 14 * (1 - spark), 16 + 26 * (1 - spark)];
    context.moveTo(x + near * dx, y + near * dy);
    context.lineTo(x + far * dx, y + far * dy);
  }
  context.stroke();
}

/** The boulders before the tower, and those on their way there. */
function drawTable(context, layout, { table, flying, pictureColors }) {
  const { center, base, scale, picture } = layout;
  const edge = picture.boulder_mm * scale;
  const onTheirWay = flying.map(({ row }) => pictureColors[row]);
  const places = layout.slots(onTheirWay.length ? [...table, onTheirWay] : table);
  const lying = table.flat();
  lying.forEach((color, k) => drawBoulder(context, color, ...places[k], 0, edge));
  const outlet = base - 0.5 * picture.floor_mm * scale;
  flying.forEach(({ row, share }, k) => {
    const [slotX, slotY] = places[lying.length + k];
    const eased = share * (2 - share);
    const x = center + eased * (slotX - center);
    const arc = 0.35 * Math.abs(slotX - center) * share * (1 - share);
    const y = outlet + eased * (slotY - outlet) - arc;
    drawBoulder(context, pictureColors[row], x, y, (1 - share) * Math.PI, edge);
  });
}
