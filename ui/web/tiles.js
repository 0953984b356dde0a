// Draws tiles and pyramids as SVG, like those in the window.
import { element, say } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";
const GROUND = { Y: "#D9A514", R: "#C4452F", G: "#3C8C4C", B: "#2F6DB3" };
const INK = { Y: "#1B1402", R: "#FFFFFF", G: "#FFFFFF", B: "#FFFFFF", M: "#FFFFFF" };
const HUB = "#2A2D31";
const SIGNS = {
  Y: sun(),
  R: "M.5 0 .92 .5 .5 1 .08 .5Z",
  G: "M.04 .96C-.1 .3 .35 .02 .98 .02 .98 .65 .7 1.1 .04 .96Z",
  B: "M.5 0C.6 .25 .9 .42 .86 .68 .83 .9 .66 1 .5 1 .34 1 .17 .9 .14 .68 .1 .42 .4 .25 .5 0Z",
};
const GAP = 0.06;

function sun() {
  const points = [];
  for (let at = 0; at < 32; at += 1) {
    const reach = at % 2 ? 0.36 : 0.5;
    const angle = (Math.PI * at) / 16;
    points.push(`${(0.5 + reach * Math.cos(angle)).toFixed(3)} ${(0.5 + reach * Math.sin(angle)).toFixed(3)}`);
  }
  return `M${points.join("L")}Z`;
}

export function shape(kind, attributes, text) {
  const made = document.createElementNS(SVG, kind);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function sign(letter, x, y, side) {
  return shape("path", { d: SIGNS[letter], fill: INK[letter], transform: `translate(${x} ${y}) scale(${side})` });
}

/** Return one tile in a box of 1 x 1 at (x, y). */
function tile(code, { x = 0, y = 0, unsure = false, ring = "none" } = {}) {
  const letter = code[0];
  const group = shape("g", { transform: `translate(${x} ${y})`, class: `tile ring-${ring}` });
  const box = { x: GAP / 2, y: GAP / 2, width: 1 - GAP, height: 1 - GAP, rx: 0.12 };
  if (letter === "M") group.append(...millstone());
  else group.append(shape("rect", { ...box, fill: GROUND[letter] }), sign(letter, 0.1, 0.1, 0.24));
  const number = code.slice(1) + (unsure ? "?" : "");
  group.append(
    shape(
      "text",
      {
        x: 0.5, y: letter === "M" ? 0.5 : 0.58, "font-size": number.length < 3 ? 0.42 : 0.33, fill: INK[letter],
        "text-anchor": "middle", "dominant-baseline": "central", "font-weight": 700,
      },
      number,
    ),
  );
  if (unsure) group.append(shape("rect", { ...box, class: "doubt" }));
  group.append(shape("rect", { ...box, class: "ring" }));
  return group;
}

function millstone() {
  const parts = [];
  ["Y", "R", "G", "B"].forEach((letter, at) => {
    const [x, y] = [at % 2 ? 0.5 : 0.03, at < 2 ? 0.03 : 0.5];
    parts.push(shape("rect", { x, y, width: 0.47, height: 0.47, fill: GROUND[letter] }));
    parts.push(sign(letter, at % 2 ? 0.78 : 0.07, at < 2 ? 0.07 : 0.78, 0.15));
  });
  parts.push(shape("circle", { cx: 0.5, cy: 0.5, r: 0.34, fill: HUB }));
  return parts;
}

/** Return a picture of one tile, named for screen readers. */
export function oneTile(code, name) {
  const drawn = shape("svg", { viewBox: "0 0 1 1", class: "one-tile", role: "img", "aria-label": name });
  drawn.append(tile(code));
  return drawn;
}

/** Return a picture of the pyramid, told row by row to screen readers. */
export function pyramid(tiles, arrows, names, places = []) {
  if (!tiles.length) return element("p", { text: say("empty_table"), className: "quiet" });
  const drawnPlaces = [...tiles, ...places];
  const across = drawnPlaces.map((each) => each.slot + each.row / 2);
  const left = Math.min(...across) - 0.25;
  const wide = Math.max(...across) + 1.25 - left;
  const rows = Math.max(...drawnPlaces.map((each) => each.row)) + 1;
  const drawn = shape("svg", {
    viewBox: `${left} ${-rows - 0.1} ${wide} ${rows + 0.2}`, role: "img", "aria-label": inWords(tiles, names),
  });
  for (const each of tiles) drawn.append(tile(each.code, { ...each, x: each.slot + each.row / 2, y: -each.row - 1 }));
  for (const each of places) drawn.append(free(each));
  for (const each of arrows) drawn.append(...fall(each));
  return drawn;
}

/** Return a place where the next tile may go. */
function free({ row, slot }) {
  const box = { x: slot + row / 2 + 0.08, y: -row - 0.92, width: 0.84, height: 0.84, rx: 0.12 };
  return shape("rect", { ...box, class: "free" });
}

function fall({ row, slot, left, right }) {
  const [x, y] = [slot + row / 2 + 0.5, -row - 0.5];
  const drawn = [];
  for (const [wanted, way] of [[left, -1], [right, 1]]) {
    if (!wanted) continue;
    const d = `M${x + way * 0.42} ${y + 0.2}l${way * 0.22} .5m${-way * 0.2} -.1l${way * 0.2} .1l${way * 0.06} -.2`;
    drawn.push(shape("path", { d, class: "fall fall-edge" }), shape("path", { d, class: "fall" }));
  }
  return drawn;
}

function inWords(tiles, names) {
  const rows = new Map();
  for (const each of [...tiles].sort((one, other) => one.slot - other.slot)) {
    const doubt = each.unsure ? ` (${say("in_doubt")})` : "";
    rows.set(each.row, [...(rows.get(each.row) ?? []), names[each.code] + doubt]);
  }
  return [...rows.entries()]
    .sort((one, other) => one[0] - other[0])
    .map(([row, told]) => say("row", { row: row + 1, tiles: told.join(", ") }))
    .join(". ");
}
