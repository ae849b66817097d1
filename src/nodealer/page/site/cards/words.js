// @ts-check
/**
 * Words on cards: split to lines and scaled, so that they stay on the card in any font.
 *
 * How wide a text is, a canvas that is nowhere shown tells, in the fonts that the card is drawn in;
 * what still could become too wide is squeezed (`textLength`). A word is a stranger's text and only
 * ever becomes text.
 */

import { at, element } from "./drawing.js";

const LINES_MAX = 6;

/** Faces and titles are at most so long; what comes beyond that is not looked at. */
const LETTERS_MAX = 64;

/** What is measured and what is drawn may differ by so much. */
const MARGIN = 0.95;

const SEGMENTS = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export const FONTS = 'ui-rounded, "SF Pro Rounded", system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

const pen = document.createElement("canvas").getContext("2d");

/** How wide a text is, in parts of the size of its letters. @param {string} text */
function wide(text) {
  if (!pen) return [...text].length;
  pen.font = `700 100px ${FONTS}`;
  const { width, actualBoundingBoxLeft, actualBoundingBoxRight } = pen.measureText(text);
  return Math.max(width, actualBoundingBoxLeft + actualBoundingBoxRight) / 100;
}

/** @param {string} text */
export const lettersOf = (text) => [...SEGMENTS.segment(text)].map(({ segment }) => segment);

/**
 * The parts of a text where a line may end: behind spaces and hyphens, and anywhere in what is long.
 * @param {string} text
 * @param {number} most
 */
function parts(text, most) {
  return text.split(/(?<=[\s\-_/])/u).flatMap((part) => {
    const letters = lettersOf(part);
    const cut = [];
    for (let from = 0; from < letters.length; from += most) cut.push(letters.slice(from, from + most).join(""));
    return cut;
  });
}

/**
 * A text in so many lines or fewer, the longest as short as possible.
 * @param {string} text
 * @param {number} lines
 */
function split(text, lines) {
  const pieces = parts(text, Math.max(10, Math.ceil(lettersOf(text).length / lines)));
  let limit = Math.max(...pieces.map(wide), wide(text) / lines);
  for (;;) {
    /** @type {string[]} */
    const done = [];
    for (const piece of pieces) {
      const last = done.at(-1);
      if (last !== undefined && wide(last + piece.trimEnd()) <= limit) done[done.length - 1] = last + piece;
      else done.push(piece);
    }
    if (done.length <= lines) return done.map((line) => line.trim());
    limit *= 1.1;
  }
}

/**
 * A text within a box, in the middle of it, as large as it fits.
 * @param {string} text
 * @param {{x: number, y: number, wide: number, high: number}} place - the middle of it
 * @param {{most?: number, lines?: number}} [how] - the largest letters
 */
export function words(text, place, { most = 60, lines = LINES_MAX } = {}) {
  const shown = lettersOf(text.trim()).slice(0, LETTERS_MAX).join("") || "?";
  /** @type {{made: string[], size: number}} */
  let best = { made: [shown], size: 0 };
  for (let count = 1; count <= lines; count += 1) {
    const made = split(shown, count);
    const room = (place.wide * MARGIN) / Math.max(...made.map(wide), 0.1);
    const size = Math.min(most, room, place.high / (made.length * 1.2));
    if (size > best.size * 1.02) best = { made, size };
  }
  const { made, size } = best;
  const first = place.y - ((made.length - 1) * size * 1.14) / 2 + size * 0.35;
  return at("", ...made.map((line, number) => written(line, place.x, first + number * size * 1.14, size, place.wide)));
}

/** @param {string} line @param {number} x @param {number} y @param {number} size @param {number} room */
function written(line, x, y, size, room) {
  const tight = wide(line) * size > room * MARGIN * 0.99;
  const drawn = element("text", {
    x,
    y,
    "font-size": size,
    "text-anchor": "middle",
    class: "card-words fill-ink",
    ...(tight ? { textLength: room * MARGIN, lengthAdjust: "spacingAndGlyphs" } : {}),
  });
  drawn.textContent = line;
  return drawn;
}
