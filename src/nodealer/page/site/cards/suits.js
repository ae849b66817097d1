// @ts-check
/** French suits and ranks: the signs, the pips of the numbers, the aces. */

import { at, element, named, twice, written } from "./drawing.js";
import { bust, court } from "./courts.js";

/** @typedef {"clubs" | "diamonds" | "hearts" | "spades"} Suit */

/**
 * The signs, each about 100 by 100 around the middle.
 * @type {Readonly<Record<Suit, string>>}
 */
export const SIGNS = {
  hearts: "M0 46C-10 34 -47 12 -47 -17C-47 -34 -35 -45 -21 -45C-11 -45 -4 -39 0 -30C4 -39 11 -45 21 -45C35 -45 47 -34 47 -17C47 12 10 34 0 46Z",
  diamonds: "M0 -51C10 -32 24 -15 40 0C24 15 10 32 0 51C-10 32 -24 15 -40 0C-24 -15 -10 -32 0 -51Z",
  spades: "M0 -49C9 -31 46 -10 46 17C46 31 36 39 25 39C17 39 10 35 5 28C6 37 10 43 17 48H-17C-10 43 -6 37 -5 28C-10 35 -17 39 -25 39C-36 39 -46 31 -46 17C-46 -10 -9 -31 0 -49Z",
  clubs: "M0 -48A22 22 0 0 1 15.5 -10.5A22.5 22.5 0 1 1 5.5 22C6.5 34 10 42 18 48H-18C-10 42 -6.5 34 -5.5 22A22.5 22.5 0 1 1 -15.5 -10.5A22 22 0 0 1 0 -48Z",
};

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/**
 * A sign of this size in the middle of a place.
 * @param {Suit} suit @param {number} x @param {number} y @param {number} size
 * @param {{fill?: string, line?: string, turned?: boolean}} [how]
 */
export function sign(suit, x, y, size, { fill = "suit", line, turned = false } = {}) {
  const scale = size / 100;
  return element("path", {
    d: SIGNS[suit],
    transform: `translate(${x} ${y}) scale(${scale})${turned ? " rotate(180)" : ""}`,
    class: `fill-${fill}${line ? ` line-${line}` : ""}`,
    ...(line ? { "stroke-width": 3 / scale } : {}),
  });
}

const LEFT = 93;
const MIDDLE = 125;
const RIGHT = 157;

/** The places of the pips in the upper half and on the middle line. The lower half is the same. */
/** @type {Readonly<Record<string, {upper: [number, number][], line: number[]}>>} */
const PIPS = {
  2: { upper: [[MIDDLE, 70]], line: [] },
  3: { upper: [[MIDDLE, 70]], line: [MIDDLE] },
  4: { upper: [[LEFT, 70], [RIGHT, 70]], line: [] },
  5: { upper: [[LEFT, 70], [RIGHT, 70]], line: [MIDDLE] },
  6: { upper: [[LEFT, 70], [RIGHT, 70]], line: [LEFT, RIGHT] },
  7: { upper: [[LEFT, 70], [RIGHT, 70]], line: [LEFT, RIGHT] },
  8: { upper: [[LEFT, 70], [RIGHT, 70], [MIDDLE, 122.5]], line: [LEFT, RIGHT] },
  9: { upper: [[LEFT, 70], [RIGHT, 70], [LEFT, 140], [RIGHT, 140]], line: [MIDDLE] },
  10: { upper: [[LEFT, 70], [RIGHT, 70], [MIDDLE, 105], [LEFT, 140], [RIGHT, 140]], line: [] },
};

/** @param {Suit} suit @param {string} rank */
function pips(suit, rank) {
  const { upper, line } = /** @type {{upper: [number, number][], line: number[]}} */ (PIPS[rank]);
  const size = 43;
  const drawn = [
    ...upper.map(([x, y]) => sign(suit, x, y, size)),
    ...line.map((x) => sign(suit, x, 175, size)),
    ...upper.map(([x, y]) => sign(suit, 250 - x, 350 - y, size, { turned: true })),
  ];
  if (rank === "7") drawn.push(sign(suit, MIDDLE, 122.5, size));
  return drawn;
}

/** The ace: one great sign, with its own contour inside. @param {Suit} suit */
function ace(suit) {
  const scale = 0.94;
  return [
    sign(suit, 125, 175, 136),
    element("path", {
      d: SIGNS[suit],
      transform: `translate(125 175) scale(${scale})`,
      class: "fill-none line-paper",
      "stroke-width": 3,
    }),
    sign(suit, 125, 175, 34, { fill: "paper" }),
  ];
}

/**
 * The card as it is where there is room.
 * @param {Suit} suit @param {string} rank
 */
export function whole(suit, rank) {
  const index = at(
    "",
    written(rank, { x: 34, y: 16, high: 47, wide: 44, fill: "suit", from: "middle" }),
    sign(suit, 34, 87, 34),
  );
  if (rank === "A") return [...twice(index), ...ace(suit)];
  if ("JQK".includes(rank)) return [...court(suit, rank), ...twice(index)];
  return [...twice(index), ...pips(suit, rank)];
}

/**
 * The card where it is small: what is decided by is large and at the left.
 * @param {Suit} suit @param {string} rank
 */
export function small(suit, rank) {
  return [
    "JQK".includes(rank) ? bust(suit, rank, [78, 174, 178, 178]) : sign(suit, 158, 248, 140),
    named(
      "card-index",
      written(rank, { x: 48, y: 18, high: 82, wide: 74, fill: "suit", bold: 12, from: "middle" }),
      sign(suit, 48, 144, 66),
    ),
  ];
}
