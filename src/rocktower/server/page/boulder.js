// A boulder: its color, and the mark that tells it apart without color. One set of shapes for the
// canvas and for the lists, in a square with an edge of 1 around the middle.

const FACES = {
  red: { face: "#cf322c", ink: "#ffffff", mark: "M-.21 0a.21 .21 0 1 0 .42 0a.21 .21 0 1 0-.42 0Z" },
  blue: {
    face: "#347ed6",
    ink: "#ffffff",
    mark: "M-.085-.3h.17v.215h.215v.17h-.215v.215h-.17v-.215h-.215v-.17h.215Z",
  },
  yellow: { face: "#f7c92b", ink: "#3c2c0a", mark: "M.29 0L0 .29L-.29 0L0-.29Z" },
  white: {
    face: "#fcfaf3",
    ink: "#545458",
    mark:
      "M-.32 0a.32 .32 0 1 0 .64 0a.32 .32 0 1 0-.64 0Z" +
      "M-.21 0a.21 .21 0 1 0 .42 0a.21 .21 0 1 0-.42 0Z",
  },
};
const EDGE = "#261e1a";
const SVG = "http://www.w3.org/2000/svg";

let paths = null;

function shapes() {
  if (paths === null) {
    const rim = new Path2D();
    rim.roundRect(-0.5, -0.5, 1, 1, 0.06);
    const marks = Object.entries(FACES).map(([color, { mark }]) => [color, new Path2D(mark)]);
    paths = { rim, marks: Object.fromEntries(marks) };
  }
  return paths;
}

/** Draw a boulder around a place; the context's units are those of `edge`. */
export function drawBoulder(context, color, x, y, angle, edge) {
  const { face, ink } = FACES[color];
  const { rim, marks } = shapes();
  context.save();
  context.translate(x, y);
  context.rotate(angle);
  context.scale(edge, edge);
  context.fillStyle = EDGE;
  context.fill(rim);
  context.scale(0.88, 0.88);
  context.fillStyle = face;
  context.fill(rim);
  context.scale(1 / 0.88, 1 / 0.88);
  context.fillStyle = ink;
  context.fill(marks[color], "evenodd");
  context.restore();
}

/** A boulder for a list: a picture with its color as its name, or only decoration. */
export function chip(color, { isNamed = true } = {}) {
  const { face, ink, mark } = FACES[color];
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "-.55 -.55 1.1 1.1");
  svg.setAttribute("class", "chip");
  if (isNamed) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", color);
  } else {
    svg.setAttribute("aria-hidden", "true");
  }
  const body = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({
    x: -0.47, y: -0.47, width: 0.94, height: 0.94, rx: 0.06,
    fill: face, stroke: EDGE, "stroke-width": 0.06,
  })) {
    body.setAttribute(name, value);
  }
  const sign = document.createElementNS(SVG, "path");
  sign.setAttribute("d", mark);
  sign.setAttribute("fill", ink);
  sign.setAttribute("fill-rule", "evenodd");
  svg.append(body, sign);
  return svg;
}
