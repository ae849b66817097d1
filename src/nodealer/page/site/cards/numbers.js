// @ts-check
/** Numbers: over a bull with its heads beside it, on a dial with their powers, or alone. */

import { at, box, circle, ellipse, named, path, stroke, written } from "./drawing.js";

/** @typedef {import("./drawing.js").Shape} Shape */

const HEADS_SHOWN = 7;

/** A bull head in one piece, 100 by 90 around the middle. */
const HEAD = "M-20 -20C-38 -20 -48 -30 -46 -46C-58 -34 -54 -8 -30 -4C-30 8 -24 20 -18 30C-14 40 -8 44 0 44S14 40 18 30C24 20 30 8 30 -4C54 -8 58 -34 46 -46C48 -30 38 -20 20 -20C12 -26 -12 -26 -20 -20Z";

/** @param {number} x @param {number} y @param {number} size @param {string} fill */
const head = (x, y, size, fill) => at(`translate(${x} ${y}) scale(${size / 100})`, path(HEAD, fill));

/** The great bull, 200 by 180 around the middle. */
const bull = () =>
  at(
    "",
    path("M-44 -34C-84 -30 -100 -58 -90 -88C-74 -66 -56 -64 -30 -62Z", "horn", "outline", 4),
    path("M44 -34C84 -30 100 -58 90 -88C74 -66 56 -64 30 -62Z", "horn", "outline", 4),
    path("M-46 -30C-66 -34 -84 -26 -88 -10C-74 -2 -56 -4 -46 -14Z", "tier", "outline", 4),
    path("M46 -30C66 -34 84 -26 88 -10C74 -2 56 -4 46 -14Z", "tier", "outline", 4),
    path("M-52 -44C-40 -70 40 -70 52 -44C60 -18 48 16 42 42C36 70 20 86 0 86S-36 70 -42 42C-48 16 -60 -18 -52 -44Z", "tier", "outline", 4),
    path("M-30 -62C-22 -84 -6 -72 0 -80C8 -70 24 -84 30 -62C22 -40 10 -48 0 -36C-10 -48 -22 -40 -30 -62Z", "hair", "outline", 3.5),
    ellipse(0, 62, 36, 27, "muzzle", "outline", 4),
    ellipse(-14, 58, 5, 7, "outline"),
    ellipse(14, 58, 5, 7, "outline"),
    stroke("M-12 76Q0 82 12 76", "outline", 3.5),
    ellipse(-25, -12, 6, 8, "outline"),
    ellipse(25, -12, 6, 8, "outline"),
    circle(-23, -15, 2, "white"),
    circle(23, -15, 2, "white"),
    stroke("M-38 -26L-16 -22M38 -26L16 -22", "outline", 4),
  );

/** The heads of a card, one below the other; of very many one, with their number. */
/** @param {number} heads @param {number} x @param {number} y @param {number} size */
function column(heads, x, y, size) {
  if (heads <= HEADS_SHOWN) {
    return Array.from({ length: heads }, (_, number) => head(x, y + number * size * 1.02, size, "tier-deep"));
  }
  const high = size * 0.95;
  return [
    head(x, y, size * 1.3, "tier-deep"),
    written("×", { x, y: y + size * 0.85, high: high * 0.7, fill: "tier-deep", from: "middle" }),
    written(String(heads), { x, y: y + size * 1.7, high, wide: size * 1.6, fill: "tier-deep", from: "middle" }),
  ];
}

/** @param {number} number @param {number} heads */
export const bullWhole = (number, heads) => [
  box([70, 14, 166, 322], 14, "tier-soft"),
  written(String(number), { x: 38, y: 18, high: 46, wide: 48, from: "middle", bold: 11 }),
  ...column(heads, 38, 94, 37),
  at("translate(153 126) scale(0.8)", bull()),
  written(String(number), { x: 153, y: 220, high: 94, wide: 144, from: "middle", bold: 12 }),
];

/** @param {number} number @param {number} heads */
export const bullSmall = (number, heads) => [
  box([100, 14, 136, 322], 16, "tier-soft"),
  named(
    "card-index",
    written(String(number), { x: 48, y: 18, high: 74, wide: 76, from: "middle", bold: 13 }),
    ...column(heads, 48, 122, heads > 5 ? 34 : 42),
  ),
  at("translate(168 110) scale(0.62)", bull()),
  written(String(number), { x: 168, y: 206, high: 104, wide: 116, from: "middle", bold: 13 }),
];

/** The signs of powers, 100 by 70 around the middle. */
const eye = () => [
  path("M-44 0C-28 -26 28 -26 44 0C28 26 -28 26 -44 0Z", "paper", "ink", 7),
  circle(0, 0, 13, "ink"),
  circle(4, -4, 4, "paper"),
];

/** A little card. @param {number} x @param {number} turn @param {string} fill */
const little = (x, turn, fill) => at(`translate(${x} 0) rotate(${turn})`, box([-15, -22, 30, 44], 5, fill, "ink", 6));

/** @type {Readonly<Record<string, () => Shape[]>>} */
const POWERS = {
  "peek-own": () => [
    ...eye(),
    stroke("M-24 36H24", "ink", 7),
  ],
  "peek-anothers": () => [
    at("translate(-22 0) scale(0.82)", ...eye()),
    little(46, 8, "paper"),
  ],
  exchange: () => [
    little(-42, -8, "ink"),
    little(42, 8, "paper"),
    stroke("M-18 -12H14M4 -22L15 -12L4 -2M18 13H-14M-4 3L-15 13L-4 23", "ink", 6),
  ],
};

export const POWERS_KNOWN = Object.keys(POWERS);

/** @param {string} power @param {number} x @param {number} y @param {number} size */
function powerSign(power, x, y, size) {
  const made = POWERS[power];
  return made ? at(`translate(${x} ${y}) scale(${size / 100})`, ...made()) : null;
}

const FROM = 135;
const ROUND = 270;

/** A part of the dial's circle. @param {number} part @param {number} r @param {string} line @param {number} width */
function arc(part, r, line, width) {
  const end = ((FROM + ROUND * part) * Math.PI) / 180;
  const start = (FROM * Math.PI) / 180;
  const [x1, y1, x2, y2] = [Math.cos(start), Math.sin(start), Math.cos(end), Math.sin(end)].map((one) => (one * r).toFixed(1));
  return stroke(`M${x1} ${y1}A${r} ${r} 0 ${ROUND * part > 180 ? 1 : 0} 1 ${x2} ${y2}`, line, width);
}

/** A dial around the middle, with so much of it filled, and the number in it. */
/** @param {number} number @param {number} highest @param {number} r */
function dial(number, highest, r) {
  const part = Math.min(1, number / highest);
  const level = Math.min(4, Math.floor(part * 5));
  const steps = Math.min(highest, 40);
  const ticks = Array.from({ length: steps + 1 }, (_, step) => {
    const turn = ((FROM + (ROUND * step) / steps) * Math.PI) / 180;
    const [from, to] = [r + 15, r + (step === 0 || step === steps ? 25 : 21)];
    return `M${(Math.cos(turn) * from).toFixed(1)} ${(Math.sin(turn) * from).toFixed(1)}L${(Math.cos(turn) * to).toFixed(1)} ${(Math.sin(turn) * to).toFixed(1)}`;
  });
  return [
    circle(0, 0, r - 18, "tint"),
    arc(1, r, "track", 15),
    part > 0 ? arc(part, r, `level-${level}`, 15) : null,
    stroke(ticks.join(""), "faint", 2.5),
    written(String(number), { x: 0, y: -r * 0.52, high: r * 1.04, wide: r * 1.36, from: "middle", bold: 12 }),
  ];
}

/** @param {number} number @param {number} highest @param {string} power */
export const dialWhole = (number, highest, power) => [
  written(String(number), { x: 36, y: 18, high: 46, wide: 48, from: "middle", bold: 11 }),
  powerSign(power, 38, 96, 42),
  at(`translate(146 ${power ? 150 : 182})`, ...dial(number, highest, 72)),
  power ? at("", box([88, 256, 116, 68], 34, "tint"), powerSign(power, 146, 290, 68)) : null,
];

/** @param {number} number @param {number} highest @param {string} power */
export const dialSmall = (number, highest, power) => [
  named(
    "card-index",
    written(String(number), { x: 48, y: 18, high: 80, wide: 74, from: "middle", bold: 13 }),
    powerSign(power, 48, 146, 70),
  ),
  at("translate(158 238)", ...dial(number, highest, 60)),
];

/** @param {number} number */
export const numberWhole = (number) => [
  written(String(number), { x: 36, y: 18, high: 46, wide: 48, from: "middle", bold: 11 }),
  box([66, 30, 154, 290], 12, "tint"),
  box([74, 38, 138, 274], 8, "none", "faint", 2.5),
  written(String(number), { x: 143, y: 124, high: 102, wide: 112, from: "middle", bold: 12 }),
];

/** @param {number} number */
export const numberSmall = (number) => [
  named("card-index", written(String(number), { x: 48, y: 18, high: 80, wide: 74, from: "middle", bold: 13 })),
  box([102, 120, 130, 212], 14, "tint"),
  written(String(number), { x: 167, y: 178, high: 96, wide: 106, from: "middle", bold: 13 }),
];
