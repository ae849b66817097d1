// @ts-check
/**
 * The pencil: SVG elements made one by one, and numerals of our own drawing.
 *
 * A colour here is a word, such as `gold`; it becomes the class `fill-gold` or `line-gold`, and
 * cards.css says what that is in which theme. So a drawing has no style attribute and no markup
 * made of text, and a strict content security policy has nothing to forbid. Drawings refer to
 * nothing by id: the same card can stand in a page many times.
 */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {SVGElement} Shape */

/**
 * An SVG element with attributes and what stands in it.
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} [attributes]
 * @param {readonly (Shape | null)[]} [inside]
 * @returns {Shape}
 */
export function element(name, attributes = {}, inside = []) {
  const made = /** @type {SVGElement} */ (document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, typeof value === "number" ? String(rounded(value)) : value);
  }
  for (const one of inside) if (one) made.append(one);
  return made;
}

/** @param {number} value */
const rounded = (value) => Math.round(value * 100) / 100;

/**
 * The attributes of a shape's colours: what fills it, and the line around it.
 * @param {string} fill
 * @param {string} [line]
 * @param {number} [width]
 * @returns {Record<string, string | number>}
 */
function colours(fill, line, width = 4) {
  const words = [`fill-${fill}`, ...(line ? [`line-${line}`] : [])];
  return { class: words.join(" "), ...(line ? { "stroke-width": width } : {}) };
}

/** @param {string} d @param {string} fill @param {string} [line] @param {number} [width] */
export const path = (d, fill, line, width) => element("path", { d, ...colours(fill, line, width) });

/** A line without a fill. @param {string} d @param {string} line @param {number} [width] */
export const stroke = (d, line, width) => path(d, "none", line, width);

/**
 * @param {number} cx @param {number} cy @param {number} r
 * @param {string} fill @param {string} [line] @param {number} [width]
 */
export const circle = (cx, cy, r, fill, line, width) =>
  element("circle", { cx, cy, r, ...colours(fill, line, width) });

/**
 * @param {number} cx @param {number} cy @param {number} rx @param {number} ry
 * @param {string} fill @param {string} [line] @param {number} [width]
 */
export const ellipse = (cx, cy, rx, ry, fill, line, width) =>
  element("ellipse", { cx, cy, rx, ry, ...colours(fill, line, width) });

/**
 * A rectangle with round corners.
 * @param {readonly [x: number, y: number, width: number, height: number]} box
 * @param {number} rx @param {string} fill @param {string} [line] @param {number} [width]
 */
export const box = ([x, y, wide, high], rx, fill, line, width) =>
  element("rect", { x, y, width: wide, height: high, rx, ...colours(fill, line, width) });

/** @param {string} transform @param {(Shape | null)[]} inside */
export const at = (transform, ...inside) => element("g", { transform }, inside);

/** @param {string} name @param {(Shape | null)[]} inside */
export const named = (name, ...inside) => element("g", { class: name }, inside);

/**
 * A window: what stands beyond its edges is not seen.
 * @param {readonly [x: number, y: number, width: number, height: number]} box
 * @param {string} viewBox
 * @param {(Shape | null)[]} inside
 */
export const cropped = ([x, y, width, height], viewBox, ...inside) =>
  element("svg", { x, y, width, height, viewBox, overflow: "hidden" }, inside);

/** The other half of a card: everything once more, turned round. @param {Shape[]} inside */
export const twice = (...inside) => [
  ...inside,
  at("rotate(180 125 175)", ...inside.map((one) => /** @type {Shape} */ (one.cloneNode(true)))),
];

/**
 * Strokes of the letters of numbers and ranks, 60 high between the middles of lines, and how wide
 * each one stands.
 * @type {Readonly<Record<string, readonly [strokes: string, wide: number]>>}
 */
const LETTERS = {
  0: ["M20 2C31 2 36 13 36 30S31 58 20 58 4 47 4 30 9 2 20 2Z", 40],
  1: ["M3 15L17 3V58", 22],
  2: ["M5 17C5 8 11 2 20 2S35 8 35 17C35 30 18 38 5 58H36", 40],
  3: ["M6 10C9 5 14 2 20 2C28 2 34 7 34 15.5S28 28.5 17 28.5C28 28.5 36 33 36 43S29 58 20 58C13 58 7 55 4 48", 40],
  4: ["M29 58V2L4 42H39", 42],
  5: ["M33 2H10L8 27C12 23.5 16 22 20 22C30 22 36 29 36 40S29 58 20 58C13 58 7 55 4 49", 40],
  6: ["M33 9C30 4.5 26 2 21 2C9 2 4 15 4 35C4 50 10 58 20 58C29.5 58 36 51 36 40.5S29.5 23.5 20.5 23.5C12 23.5 5 29 4 38", 40],
  7: ["M4 2H35L15 58", 38],
  8: ["M20 28C12 28 6.5 22.5 6.5 15S12 2 20 2S33.5 7.5 33.5 15S28 28 20 28C10.5 28 4 34 4 43S10.5 58 20 58S36 52 36 43S29.5 28 20 28Z", 40],
  9: ["M7 51C10 55.5 14 58 19 58C31 58 36 45 36 25C36 10 30 2 20 2C10.5 2 4 9 4 19.5S10.5 36.5 19.5 36.5C28 36.5 35 31 36 22", 40],
  A: ["M3 58L21 2L39 58M9.5 39H32.5", 42],
  J: ["M31 2V40C31 51 26 58 17.5 58C10 58 5 53.5 3.5 46", 35],
  Q: ["M22 2C34 2 40 13 40 30S34 58 22 58 4 47 4 30 10 2 22 2ZM27 43L41 61", 45],
  K: ["M6 2V58M37 2L6 36M17 25L39 58", 42],
  "×": ["M5 26L25 48M25 26L5 48", 30],
};

const GAP = 11;

/** Whether a text can be written in our own letters. @param {string} text */
export const canWrite = (text) => text.length > 0 && [...text].every((letter) => letter in LETTERS);

/**
 * A number or a rank in our own letters, as high as asked for unless it would be too wide.
 * @param {string} text
 * @param {{x: number, y: number, high: number, wide?: number, fill?: string, bold?: number,
 *   from?: "start" | "middle", halo?: string}} how - the top, and the left edge or the middle
 */
export function written(text, { x, y, high, wide = 1000, fill = "ink", bold = 10, from = "start", halo }) {
  const letters = [...text].map((letter) => /** @type {readonly [string, number]} */ (LETTERS[letter]));
  const whole = letters.reduce((sum, [, one]) => sum + one, 0) + GAP * (letters.length - 1) + bold - 6;
  const scale = high / (60 + bold - 2);
  const across = Math.min(scale, wide / whole);
  const left = from === "start" ? x : x - (whole * across) / 2;
  const down = (bold - 2) / 2;
  let right = (bold - 6) / 2;
  const strokes = letters.map(([d, one]) => {
    const moved = { d, transform: `translate(${rounded(right)} ${rounded(down)})` };
    right += one + GAP;
    return moved;
  });
  /** @param {string} line @param {number} width */
  const drawn = (line, width) =>
    strokes.map((one) => element("path", { ...one, ...colours("none", line, width) }));
  return at(
    `translate(${rounded(left)} ${rounded(y)}) scale(${rounded4(across)} ${rounded4(scale)})`,
    ...(halo ? drawn(halo, bold + 14) : []),
    ...drawn(fill, bold),
  );
}

/** @param {number} value */
const rounded4 = (value) => Math.round(value * 10000) / 10000;
