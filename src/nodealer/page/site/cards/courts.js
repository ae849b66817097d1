// @ts-check
/**
 * Jack, queen and king of four suits, drawn from parts, and the two jokers.
 *
 * A figure is a bust of 134 by 145, in front of a staff, a flower or a spear in its hand. What the
 * suits have of their own is not colour alone: beards, hair and the hand in which something is held.
 */

import { at, box, circle, cropped, element, ellipse, named, path, stroke, twice } from "./drawing.js";
import { sign } from "./suits.js";

/** @typedef {import("./drawing.js").Shape} Shape */
/** @typedef {import("./suits.js").Suit} Suit */

const LINE = 2.6;

const MIRROR = "translate(134 0) scale(-1 1)";

/** A shape and the same on the other side of the middle. @param {string} d @param {string} fill */
const both = (d, fill) => at("", path(d, fill, "outline", LINE), at(MIRROR, path(d, fill, "outline", LINE)));

/** @type {Readonly<Record<Suit, string | null>>} */
const BEARDS = {
  hearts: "M48 56C47 88 55 106 67 106S87 88 86 56C84 67 78 70 73 69.5Q67 66 61 69.5C56 70 50 67 48 56Z",
  spades: "M49 66C51 84 58 92 67 118C76 92 83 84 85 66C81 71 77 71 73 69.5Q67 66 61 69.5C57 71 53 71 49 66Z",
  clubs: "M48 56C44 84 46 104 56 110L67 101L78 110C88 104 90 84 86 56C84 67 78 70 73 69.5Q67 66 61 69.5C56 70 50 67 48 56Z",
  diamonds: null,
};

const FACE = "M48 54C48 37 56 31 67 31S86 37 86 54C86 73 78 85 67 85S48 73 48 54Z";

/** Eyes, brows and nose. @param {boolean} soft */
const features = (soft) =>
  at(
    "",
    ellipse(54.5, 66, 4, 3, "blush"),
    ellipse(79.5, 66, 4, 3, "blush"),
    ellipse(59, 56.5, 2.3, soft ? 3.1 : 2.7, "outline"),
    ellipse(75, 56.5, 2.3, soft ? 3.1 : 2.7, "outline"),
    stroke(soft ? "M54 50.5Q58.5 46.5 63 49.5M71 49.5Q75.5 46.5 80 50.5" : "M53.5 50L63 48.5M71 48.5L80.5 50", "outline", 2.2),
    stroke("M67.5 56L65 66.5H69", "outline", 2),
  );

const robe = () =>
  at(
    "",
    path("M-6 152V123C2 104 32 96 52 93H82C102 96 132 104 140 123V152Z", "robe", "outline", LINE),
    stroke("M27 112C31 122 32 134 32 150M107 112C103 122 102 134 102 150", "outline", 2.2),
  );

const neck = () => path("M58 76H76V94C74 100 60 100 58 94Z", "skin", "outline", LINE);

/** A hand that holds what stands behind it, in its cuff. */
const hand = () =>
  at(
    "",
    path("M101 121L124 119L127 134L103 137Z", "trim", "outline", LINE),
    path("M102 106C102 100 121 99 122 106L123 117C121 123 104 124 102 118Z", "skin", "outline", LINE),
    stroke("M103 112H113M103 117H112", "outline", 1.8),
  );

/** @param {Suit} suit */
function king(suit) {
  const beard = BEARDS[suit];
  return [
    box([108.5, 36, 7, 118], 3, "gold", "outline", LINE),
    circle(112, 24, 15, "gold", "outline", LINE),
    sign(suit, 112, 24, 18),
    robe(),
    path("M54 112H80V152H54Z", "trim", "outline", LINE),
    sign(suit, 67, 131, 15, { fill: "robe" }),
    both("M48 50C36 54 36 76 41 86C46 86 51 82 52 76Z", "hair"),
    neck(),
    path("M35 98C42 93 50 91 54 91C58 104 76 104 80 91C84 91 92 93 99 98C93 113 80 121 67 122C54 121 41 113 35 98Z", "white", "outline", LINE),
    stroke("M46 101V105M56 110V114M67 112V116M78 110V114M88 101V105", "outline", 2.4),
    path(FACE, "skin", "outline", LINE),
    beard ? path(beard, "hair", "outline", LINE) : null,
    features(false),
    stroke("M62.5 76.5Q67 79 71.5 76.5", beard ? "lips" : "outline", 2.4),
    beard ? null : path("M67 70C60 65 54 72 47 66C47 76 60 79 67 72.5C74 79 87 76 87 66C80 72 74 65 67 70Z", "hair", "outline", 2),
    path("M45 42L37 13L54 25L67 6L80 25L97 13L89 42C80 37 54 37 45 42Z", "gold", "outline", LINE),
    circle(37, 11, 3.8, "gem", "outline", 2),
    circle(67, 4.5, 3.8, "gem", "outline", 2),
    circle(97, 11, 3.8, "gem", "outline", 2),
    path("M45 42C54 36 80 36 89 42L88.5 49C80 43.5 54 43.5 45.5 49Z", "robe", "outline", LINE),
    sign(suit, 67, 28, 12, { fill: "robe" }),
  ];
}

/** A rose. @param {number} x @param {number} y */
const rose = (x, y) =>
  at(
    `translate(${x} ${y})`,
    ...[0, 72, 144, 216, 288].map((turn) => at(`rotate(${turn})`, circle(0, -9, 8, "gem", "outline", LINE))),
    circle(0, 0, 6.5, "gold", "outline", LINE),
  );

/** @param {Suit} suit */
function queen(suit) {
  const long = suit === "hearts" || suit === "clubs";
  const hair = long
    ? "M67 20C42 20 37 42 39 62C40 80 34 96 26 104C42 110 54 100 54 86H80C80 100 92 110 108 104C100 96 94 80 95 62C97 42 92 20 67 20Z"
    : "M67 20C42 20 36 38 37 54C34 64 34 82 44 87C50 88 54 84 54 78H80C80 84 84 88 90 87C100 82 100 64 97 54C98 38 92 20 67 20Z";
  return [
    stroke("M112 52C111 84 112 110 112 150", "leaf", 4.5),
    path("M112 84C120 72 130 74 132 80C126 88 118 90 112 84Z", "leaf", "outline", LINE),
    rose(112, 38),
    path(hair, "hair", "outline", LINE),
    robe(),
    path("M43 96C48 118 58 128 67 128C76 128 86 118 91 96L82 93H52Z", "skin", "outline", LINE),
    path("M43 95C44 116 54 133 67 133S90 116 91 95L99 98C97 124 84 143 67 143S37 124 35 98Z", "trim", "outline", LINE),
    neck(),
    element("path", { d: "M57 93C60 106 74 106 77 93", class: "fill-none line-outline", "stroke-width": 5 }),
    stroke("M57 93C60 106 74 106 77 93", "gold", 2.4),
    sign(suit, 67, 108, 13, { line: "outline" }),
    path(FACE, "skin", "outline", LINE),
    both("M47 58C46 40 56 31 67 31C65 42 56 50 47 58Z", "hair"),
    features(true),
    path("M61.5 75Q64.5 72 67 73.5Q69.5 72 72.5 75Q67 80 61.5 75Z", "lips"),
    path("M43 37C46 21 56 20 59 26L67 9L75 26C78 20 88 21 91 37C80 29 54 29 43 37Z", "gold", "outline", LINE),
    circle(67, 7, 3.8, "gem", "outline", 2),
    circle(52, 27.5, 2.2, "gem"),
    circle(82, 27.5, 2.2, "gem"),
    circle(67, 23, 2.6, "gem"),
    long ? null : both("M44 66A4 4 0 1 0 44.1 66Z", "gold"),
  ];
}

/** @param {Suit} suit */
function jack(suit) {
  const curly = suit === "hearts" || suit === "clubs";
  const hair = curly
    ? "M67 28C44 28 40 44 42 54C34 60 36 70 41 73C38 82 46 88 52 85L54 60H80L82 85C88 88 96 82 93 73C98 70 100 60 92 54C94 44 90 28 67 28Z"
    : "M67 28C46 28 42 42 42 58V84C46 87 52 87 55 84V54H79V84C82 87 88 87 92 84V58C92 42 88 28 67 28Z";
  return [
    box([109, 68, 6, 86], 2, "wood", "outline", LINE),
    path("M112 36L121 57L112 74L103 57Z", "steel", "outline", LINE),
    path("M104 73H120V79H104Z", "gold", "outline", LINE),
    path(hair, "hair", "outline", LINE),
    robe(),
    path("M54 110H80V152H54Z", "white", "outline", LINE),
    ...[120, 132, 144].map((y) => circle(67, y, 3, "gold", "outline", 1.8)),
    neck(),
    path("M44 92L53 90L67 107L81 90L90 92L97 104L67 126L37 104Z", "trim", "outline", LINE),
    stroke("M67 107V126", "outline", 2.2),
    path(FACE, "skin", "outline", LINE),
    path("M47 57C46 40 54 33 67 33S88 40 87 57C84 48 79 45 73 44C66 48 54 46 47 57Z", "hair", "outline", LINE),
    features(true),
    stroke("M61 74.5Q67 79 73 74.5", "lips", 2.6),
    path("M84 20C92 2 114 -2 128 8C118 10 116 26 94 32Z", "white", "outline", LINE),
    stroke("M92 27C100 15 108 11 118 9", "outline", 1.6),
    path("M37 36C33 16 52 8 70 9C92 9 104 22 97 36C80 28 54 28 37 36Z", "robe", "outline", LINE),
    path("M37 36C54 27 80 27 97 36L95.5 44C80 36 54 36 38.5 44Z", "gold", "outline", LINE),
    sign(suit, 62, 20, 14, { fill: "gold" }),
  ];
}

const FIGURES = { J: jack, Q: queen, K: king };

/** A figure with its hand; half of the suits hold what they hold in the other one. */
/** @param {Suit} suit @param {string} rank */
function figure(suit, rank) {
  const drawn = at("", ...FIGURES[/** @type {"J" | "Q" | "K"} */ (rank)](suit), hand());
  return mirrored(suit) ? at(MIRROR, drawn) : drawn;
}

/** @param {Suit} suit */
const mirrored = (suit) => suit === "diamonds" || suit === "clubs";

/**
 * The middle of a court card: the figure twice, in a frame.
 * @param {Suit} suit @param {string} rank
 */
export function court(suit, rank) {
  const half = cropped([60, 30, 130, 145], "2 0 130 145", figure(suit, rank));
  const pip = sign(suit, mirrored(suit) ? 170 : 80, 54, 27);
  return [
    box([60, 30, 130, 290], 7, "tint"),
    ...twice(half, pip),
    box([60, 168, 130, 14], 0, "gold", "outline", LINE),
    ...[73, 99, 125, 151, 177].map((x) => path(`M${x} 170.5L${x + 8} 175L${x} 179.5L${x - 8} 175Z`, "robe")),
    box([60, 30, 130, 290], 7, "none", "suit", 3),
  ];
}

/**
 * The bust alone, for cards that are small.
 * @param {Suit} suit @param {string} rank
 * @param {readonly [x: number, y: number, width: number, height: number]} place
 */
export const bust = (suit, rank, place) => cropped(place, "-8 -2 150 150", figure(suit, rank));

/** The sun of the red joker, and the moon of the black one. @param {string} ink @param {number} size */
function light(ink, size) {
  if (ink === "black") return at(`scale(${size / 100})`, path("M14 -46A48 48 0 1 0 42 24A38 38 0 1 1 14 -46Z", "suit"));
  const rays = Array.from({ length: 12 }, (_, number) => {
    const turn = (number * Math.PI) / 6;
    const reach = number % 2 ? 39 : 50;
    const side = turn + Math.PI / 12;
    return `${number ? "L" : "M"}${point(turn, reach)}L${point(side, 30)}`;
  });
  return at(`scale(${size / 100})`, path(`${rays.join("")}Z`, "suit"), circle(0, 0, 17, "paper"), circle(0, 0, 10, "suit"));
}

/** @param {number} turn @param {number} reach */
const point = (turn, reach) => `${(Math.sin(turn) * reach).toFixed(1)} ${(-Math.cos(turn) * reach).toFixed(1)}`;

/** A bell of the cap. @param {number} x @param {number} y */
const bell = (x, y) =>
  at(`translate(${x} ${y})`, circle(0, 0, 9, "gold", "outline", LINE), stroke("M-7 2H7", "outline", 2), circle(0, 4.5, 1.8, "outline"));

/** The jester, 180 by 200. @param {string} ink */
function jester(ink) {
  return [
    path("M90 196L58 214L52 180L22 186L36 158L90 144L144 158L158 186L128 180L122 214Z", "gold", "outline", 3),
    path("M90 180L66 190L62 168L46 168L60 150H120L134 168H118L114 190Z", "robe", "outline", 3),
    path("M44 82C38 40 18 34 8 58C0 30 34 8 60 30C76 42 78 60 78 78Z", "robe", "outline", 3),
    path("M136 82C142 40 162 34 172 58C180 30 146 8 120 30C104 42 102 60 102 78Z", "trim", "outline", 3),
    path("M58 84C56 50 74 40 84 4C112 20 128 50 122 84Z", "gold", "outline", 3),
    bell(8, 64),
    bell(172, 64),
    bell(84, 2),
    path("M56 96C56 74 70 66 90 66S124 74 124 96C124 132 110 152 90 156C70 152 56 132 56 96Z", "skin", "outline", 3),
    path("M50 92C50 76 68 68 90 68S130 76 130 92C118 84 62 84 50 92Z", "trim", "outline", 3),
    ellipse(66, 118, 6.5, 5, "blush"),
    ellipse(114, 118, 6.5, 5, "blush"),
    path("M76 94L80 103L76 112L72 103Z", "outline"),
    path("M104 94L108 103L104 112L100 103Z", "outline"),
    stroke("M90 102L86 118H92", "outline", 2.6),
    path("M70 126C78 134 102 134 110 126C108 142 100 147 90 147S72 142 70 126Z", "white", "outline", 3),
    stroke("M74 134C82 139 98 139 106 134", "outline", 1.8),
    at("translate(96 48)", light(ink, 34)),
  ];
}

/** The cap alone, as the joker's index. */
const cap = () =>
  at(
    "",
    path("M-22 20C-24 -4 -32 -6 -36 4C-40 -14 -22 -24 -10 -12C-8 -20 -4 -28 0 -34C4 -28 8 -20 10 -12C22 -24 40 -14 36 4C32 -6 24 -4 22 20Z", "suit"),
    circle(-36, 9, 5, "suit"),
    circle(36, 9, 5, "suit"),
    circle(0, -36, 5, "suit"),
    box([-24, 25, 48, 9], 4, "suit"),
  );

/** @param {string} ink */
export const jokerWhole = (ink) => [
  ...twice(at("translate(35 38) scale(0.58)", cap()), at("translate(35 86)", light(ink, 36))),
  at("translate(38 76) scale(0.96)", ...jester(ink)),
];

/** @param {string} ink */
export const jokerSmall = (ink) => [
  named("card-index", at("translate(48 58) scale(0.95)", cap()), at("translate(48 146)", light(ink, 66))),
  at("translate(92 168) scale(0.82)", ...jester(ink)),
];
