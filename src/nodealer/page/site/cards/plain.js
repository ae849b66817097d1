// @ts-check
/** Cards of words, pictures with a title, backs, and the signs of what a card is like. */

import { at, box, circle, named, path, stroke, twice, written, canWrite } from "./drawing.js";
import { alarm, badge, golden, picture, target } from "./pictures.js";
import { lettersOf, words } from "./words.js";

/** @typedef {import("./drawing.js").Shape} Shape */

/** A word of so few letters stands upright in the corner. */
const SHORT = 3;

/** Of a longer one so many are at the edge; all of it is in the middle. */
const EDGE_LETTERS_MAX = 16;

/**
 * What the page on looks lets a picture say of its card.
 * @typedef {{picture: string, title: string, value?: number, golden?: number, alarm?: boolean, targets?: number}} Told
 */

/** @param {Told} told */
const isBare = ({ value, golden: paid, alarm: rings, targets }) => !value && !paid && !rings && !targets;

/** What is told beside the picture, one below the other. */
/** @param {Told} told @param {number} x @param {number} y @param {number} size */
function signs(told, x, y, size) {
  /** @type {((y: number) => Shape)[]} */
  const made = [];
  for (let one = 0; one < Math.min(told.golden ?? 0, 9); one += 1) made.push((down) => golden(x, down, size));
  if (told.value) made.push((down) => badge(/** @type {number} */ (told.value), x, down, size / 2));
  if (told.alarm) made.push((down) => alarm(x, down, size));
  for (let one = 0; one < Math.min(told.targets ?? 0, 9); one += 1) made.push((down) => target(x, down, size));
  const step = Math.min(size * 1.16, (300 - y) / Math.max(1, made.length - 1));
  return made.map((draw, number) => draw(y + number * step));
}

/** The picture is in the middle where nothing stands beside it. @param {Told} told */
export const pictureWhole = (told) => [
  ...(isBare(told)
    ? [box([14, 14, 222, 232], 14, "tint"), circle(125, 130, 84, "paper"), picture(told.picture, 33, 38, 184)]
    : [box([66, 14, 170, 232], 14, "tint"), circle(151, 130, 74, "paper"), picture(told.picture, 70, 48, 162)]),
  ...signs(told, 36, 38, 42),
  words(told.title, { x: 125, y: 294, wide: 222, high: 80 }, { most: 35, lines: 2 }),
];

/** @param {Told} told */
export const pictureSmall = (told) => [
  box([0, 0, 100, 350], 0, "tint"),
  named("card-index", picture(told.picture, 8, 12, 80), ...signs(told, 48, 130, 58)),
  picture(told.picture, 104, 102, 142),
];

/** @param {number} x @param {number} y @param {number} r */
const lozenge = (x, y, r) => path(`M${x} ${y - r}L${x + r * 0.72} ${y}L${x} ${y + r}L${x - r * 0.72} ${y}Z`, "faint");

/** A word as large as it fits: in our own letters if it is a number. */
/** @param {string} word @param {{x: number, y: number, wide: number, high: number}} place */
function large(word, place) {
  if (!canWrite(word) || word.length > SHORT) return words(word, place, { most: 62 });
  const high = Math.min(place.high, 96);
  return written(word, { x: place.x, y: place.y - high / 2, high, wide: place.wide, from: "middle", bold: 11 });
}

/** The word once more at the left edge, so that it is read when others lie over the card. */
/** @param {string} word @param {number} x @param {number} wide */
function edge(word, x, wide) {
  if (canWrite(word) && word.length <= SHORT) return written(word, { x, y: 18, high: wide, wide, from: "middle", bold: 11 });
  const letters = lettersOf(word);
  if (letters.length <= SHORT) return words(word, { x, y: 18 + wide / 2, wide, high: wide }, { lines: 1 });
  const cut = letters.length > EDGE_LETTERS_MAX ? `${letters.slice(0, EDGE_LETTERS_MAX).join("")}…` : word;
  return at(`translate(${x} 175) rotate(-90)`, words(cut, { x: 0, y: 0, wide: 300, high: wide }, { most: wide * 0.7, lines: 1 }));
}

/** @param {string} word */
export const wordWhole = (word) => [
  edge(word, 36, 44),
  box([66, 24, 160, 302], 12, "tint"),
  box([74, 32, 144, 286], 8, "none", "faint", 2.5),
  large(word, { x: 146, y: 175, wide: 124, high: 170 }),
  ...[62, 288].flatMap((y) => [lozenge(146, y, 12), stroke(`M96 ${y}H128M164 ${y}H196`, "faint", 2.5)]),
];

/** @param {string} word */
export const wordSmall = (word) => [
  named("card-index", edge(word, 48, 70)),
  box([100, 14, 136, 322], 16, "tint"),
  large(word, { x: 168, y: 175, wide: 116, high: 220 }),
];

/** The lattice of the back, without clips: every line ends at the frame. */
function lattice() {
  const [left, top, right, bottom, step] = [26, 26.5, 224, 323.5, 33];
  let d = "";
  for (let sum = left + top + step; sum < right + bottom; sum += step) {
    const x1 = Math.max(left, sum - bottom);
    const x2 = Math.min(right, sum - top);
    d += `M${x1} ${sum - x1}L${x2} ${sum - x2}`;
    d += `M${250 - x1} ${sum - x1}L${250 - x2} ${sum - x2}`;
  }
  return d;
}

/** Four cards in a ring, which nobody deals. */
const emblem = () =>
  at(
    "translate(125 175)",
    circle(0, 0, 58, "back", "back-line", 4),
    ...[0, 90, 180, 270].map((turn) => at(`rotate(${turn + 24}) translate(0 -33)`, box([-13, -17, 26, 34], 5, "back-line"))),
    circle(0, 0, 6, "back-line"),
  );

export const back = () => [
  box([12, 12, 226, 326], 12, "back"),
  box([20, 20, 210, 310], 8, "none", "back-line", 3),
  stroke(lattice(), "back-line", 2.5),
  ...twice(...[26, 224].map((x) => circle(x, 26, 7, "back-line"))),
  emblem(),
];

/** The position of a card on its back. @param {number} mark */
export const marked = (mark) => [
  circle(125, 175, 58, "paper", "back-line", 4),
  written(String(mark), { x: 125, y: 140, high: 70, wide: 82, from: "middle", bold: 11 }),
];
