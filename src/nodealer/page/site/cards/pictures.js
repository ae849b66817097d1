// @ts-check
/**
 * Pictures, each 200 by 200, by the names that specs/games/looks.md has for them.
 *
 * Most are about a potato, which has a face, and things that it wears or does.
 */

import { at, box, circle, ellipse, path, stroke, written } from "./drawing.js";

/** @typedef {import("./drawing.js").Shape} Shape */

const LINE = 4;

const BODY = "M88 34C124 26 156 52 162 96C168 142 140 178 100 180C58 182 34 150 38 106C42 70 58 40 88 34Z";

/** @typedef {"happy" | "calm" | "worried" | "cross" | "wow" | "sly"} Mood */

/** @type {Readonly<Record<Mood, () => Shape[]>>} */
const MOUTHS = {
  happy: () => [path("M82 126C88 144 114 144 120 126C108 131 94 131 82 126Z", "lips", "outline", 3.5)],
  calm: () => [stroke("M86 130Q101 140 116 130", "outline", LINE)],
  worried: () => [stroke("M84 136Q92 128 101 134T118 132", "outline", LINE)],
  cross: () => [stroke("M84 138Q101 124 118 138", "outline", LINE), stroke("M70 90L90 98M132 90L112 98", "outline", 4.5)],
  wow: () => [ellipse(101, 134, 9, 12, "lips", "outline", 3.5)],
  sly: () => [stroke("M84 132Q104 140 118 124", "outline", LINE)],
};

/** @param {number} x @param {number} y */
const eye = (x, y) => [circle(x, y, 9.5, "white", "outline", 3), circle(x + 1, y + 1, 4.5, "outline"), circle(x + 2.5, y - 1, 1.6, "white")];

/** The eyes and the mouth. @param {Mood} mood */
const face = (mood) => [
  ...eye(83, 106),
  ...eye(119, 106),
  ellipse(68, 122, 8, 5, "blush"),
  ellipse(134, 122, 8, 5, "blush"),
  ...MOUTHS[mood](),
];

/** A potato. @param {Mood} mood @param {string} [skin] */
const potato = (mood, skin = "potato") => [
  path(BODY, skin, "outline", LINE),
  path("M150 74C160 110 150 152 116 170C138 172 158 146 160 112C160 98 156 84 150 74Z", `${skin}-shade`),
  ellipse(64, 86, 5, 3.5, `${skin}-shade`),
  ellipse(112, 62, 6, 3.5, `${skin}-shade`),
  ellipse(74, 158, 6, 3.5, `${skin}-shade`),
  stroke("M56 76C62 62 70 54 80 48", "shine", 5),
  ...face(mood),
];

/** A star of five points. @param {number} x @param {number} y @param {number} r @param {string} fill @param {number} [width] */
function star(x, y, r, fill, width = 3.5) {
  const points = Array.from({ length: 10 }, (_, number) => {
    const turn = (number * Math.PI) / 5;
    const reach = number % 2 ? r * 0.46 : r;
    return `${(x + Math.sin(turn) * reach).toFixed(1)} ${(y - Math.cos(turn) * reach).toFixed(1)}`;
  });
  return path(`M${points.join("L")}Z`, fill, "outline", width);
}

/** A gleam. @param {number} x @param {number} y @param {number} r */
const gleam = (x, y, r) =>
  path(`M${x} ${y - r}Q${x + r * 0.16} ${y - r * 0.16} ${x + r} ${y}Q${x + r * 0.16} ${y + r * 0.16} ${x} ${y + r}Q${x - r * 0.16} ${y + r * 0.16} ${x - r} ${y}Q${x - r * 0.16} ${y - r * 0.16} ${x} ${y - r}Z`, "gold", "outline", 2.5);

/** A burst behind something. @param {string} fill @param {number} points @param {number} far @param {number} near */
function burst(fill, points, far, near) {
  const corners = Array.from({ length: points * 2 }, (_, number) => {
    const turn = (number * Math.PI) / points;
    const reach = number % 2 ? near : far;
    return `${(100 + Math.sin(turn) * reach).toFixed(1)} ${(100 - Math.cos(turn) * reach).toFixed(1)}`;
  });
  return path(`M${corners.join("L")}Z`, fill, "outline", LINE);
}

/** An open hand. */
const palm = () => [
  path("M70 190V150C52 136 40 118 34 104C30 92 44 86 52 96L68 116V44C68 30 86 30 87 44V30C87 15 107 15 107 30V42C108 28 127 28 127 43V58C128 46 146 46 146 60V124C146 142 138 150 134 156V190Z", "skin", "outline", LINE),
  stroke("M87 44V94M107 42V94M127 58V98", "outline", 3.5),
  stroke("M74 128C84 116 104 116 112 132", "outline", 3),
  path("M60 172H144V196H60Z", "red", "outline", LINE),
  circle(132, 184, 4, "gold", "outline", 2),
];

/** Mashed potato from a star-shaped nozzle, baked, 84 wide. */
const rosette = () => [
  path("M-42 34C-46 12 -34 2 -22 -8C-12 -16 -6 -28 4 -48C10 -30 18 -18 26 -8C38 4 46 14 42 34Q35 43 28 35Q21 44 14 35Q7 44 0 35Q-7 44 -14 35Q-21 44 -28 35Q-35 43 -42 34Z", "mash", "outline", LINE),
  path("M-10 -24C-4 -28 -2 -38 4 -48C8 -36 12 -28 16 -22C6 -14 -2 -16 -10 -24Z", "gold-shade", "outline", 3),
  stroke("M-14 -10C-28 4 -30 18 -28 33M18 -10C28 2 32 18 28 33M-4 -8C-14 4 -16 -2 -17 2M8 -8C14 0 15 0 17 4", "potato-shade", 3.5),
];

/** @type {Readonly<Record<string, () => Shape[]>>} */
const PICTURES = {
  potato: () => [
    path("M98 36C94 20 82 12 70 14C72 28 84 36 98 36Z", "leaf", "outline", 3.5),
    path("M98 36C100 18 112 8 126 10C124 26 112 36 98 36Z", "leaf", "outline", 3.5),
    ...potato("happy"),
  ],
  duchesses: () => [
    path("M8 160H192C188 186 150 194 100 194S12 186 8 160Z", "ice", "outline", LINE),
    at("translate(58 112) scale(0.92)", ...rosette()),
    at("translate(142 112) scale(0.92)", ...rosette()),
    at("translate(100 120) scale(1.22)", ...rosette(), circle(-10, 14, 4.6, "outline"), circle(12, 14, 4.6, "outline"), stroke("M-6 23Q1 29 8 23", "outline", 3)),
    path("M4 154H196C196 166 192 170 186 170H14C8 170 4 166 4 154Z", "white", "outline", LINE),
    gleam(168, 30, 15),
    gleam(32, 40, 11),
  ],
  fries: () => [
    ...[[52, 40, -9], [70, 22, -4], [88, 34, -2], [106, 16, 2], [124, 32, 5], [142, 26, 9]].map(([x = 0, y = 0, turn = 0]) =>
      at(`rotate(${turn} ${x} 120)`, box([x - 9, y, 18, 110], 3, "fry", "outline", LINE), stroke(`M${x + 4} ${y + 8}V${y + 80}`, "potato-shade", 3)),
    ),
    path("M42 84C62 104 138 104 158 84L146 184C144 190 140 192 134 192H66C60 192 56 190 54 184Z", "red", "outline", LINE),
    path("M66 96L73 192H88L84 99ZM116 99L112 192H127L134 96Z", "white"),
    path("M42 84C62 104 138 104 158 84L146 184C144 190 140 192 134 192H66C60 192 56 190 54 184Z", "none", "outline", LINE),
    ellipse(100, 142, 33, 27, "red"),
    ...[...eye(86, 134), ...eye(114, 134)],
    stroke("M88 152Q100 162 112 152", "outline", LINE),
  ],
  "any-potato": () => [
    path(BODY, "red", "outline", LINE),
    path("M88 34C124 26 156 52 162 96L100 107Z", "gold"),
    path("M162 96C168 142 140 178 100 180L100 107Z", "blue"),
    path("M100 180C58 182 34 150 38 106L100 107Z", "leaf"),
    path(BODY, "none", "outline", LINE),
    stroke("M88 34L100 107L162 96M100 180V107L38 106", "outline", 3),
    circle(100, 107, 40, "white", "outline", LINE),
    star(100, 108, 30, "gold", 3),
    gleam(168, 44, 15),
    gleam(34, 60, 11),
  ],
  "golden-potato": () => [
    ...potato("happy", "gold"),
    gleam(42, 52, 17),
    gleam(166, 62, 13),
    gleam(158, 172, 10),
  ],
  "stop-hand": () => palm(),
  "stop-shout": () => [
    burst("red", 14, 98, 74),
    path("M60 88H84L130 56V146L84 114H60C50 114 50 88 60 88Z", "white", "outline", LINE),
    path("M68 114L76 146H94L86 115Z", "steel", "outline", LINE),
    path("M130 56C140 76 140 126 130 146C122 126 122 76 130 56Z", "steel", "outline", 3.5),
    stroke("M146 84C152 94 152 108 146 118M158 74C168 90 168 112 158 128", "white", 6),
  ],
  pony: () => [
    stroke("M96 128V196", "wood", 9),
    path("M70 30L84 8L98 32Z", "pony", "outline", LINE),
    path("M92 30C128 34 146 64 144 104C144 128 136 142 138 156L84 158C88 140 92 126 84 116C70 122 58 128 44 128C28 128 24 110 34 100L62 62C64 44 74 30 92 30Z", "pony", "outline", LINE),
    path("M94 26C136 16 172 56 160 104C156 122 156 136 164 150C148 152 136 142 138 122C140 88 132 58 94 46Z", "hair", "outline", LINE),
    path("M92 30C80 28 72 36 74 50C80 46 90 46 98 50C102 40 98 34 92 30Z", "hair", "outline", 3.5),
    ...eye(80, 74),
    ellipse(42, 112, 4, 5, "outline"),
    stroke("M50 122Q58 122 64 116", "outline", 3.5),
    stroke("M58 92L84 116M62 64L112 82M58 92L66 66", "red", 5.5),
    circle(60, 92, 5, "gold", "outline", 2.5),
    path("M78 156H144V170H78Z", "red", "outline", LINE),
    stroke("M24 44L40 54M18 66H36M30 26L44 40", "faint", 5),
  ],
  buck: () => [
    at(
      "rotate(-8 100 100)",
      box([14, 60, 172, 92], 10, "leaf", "outline", LINE),
      box([24, 70, 152, 72], 6, "none", "white", 3),
      circle(38, 84, 7, "white"),
      circle(162, 128, 7, "white"),
      circle(100, 106, 33, "white", "outline", 3.5),
    ),
    at("translate(48 54) scale(0.5)", ...potato("calm")),
    path("M132 150C132 138 188 138 188 150V164C188 176 132 176 132 164Z", "gold", "outline", LINE),
    ellipse(160, 150, 28, 10, "gold", "outline", LINE),
    path("M128 172C128 160 184 160 184 172V184C184 196 128 196 128 184Z", "gold", "outline", LINE),
    ellipse(156, 172, 28, 10, "gold", "outline", LINE),
  ],
  runaways: () => [
    stroke("M10 74H44M4 100H34M14 126H40", "faint", 6),
    at(
      "translate(78 4) scale(0.56) rotate(8 100 100)",
      stroke("M76 172L52 196L38 190M124 174L146 194L164 182", "limb", 9),
      ...potato("worried"),
    ),
    at(
      "translate(36 62) scale(0.72) rotate(10 100 100)",
      stroke("M40 120L16 108M160 120L184 100", "limb", 7),
      stroke("M78 172L50 190L34 178M126 172L152 190L172 178", "limb", 8),
      ...potato("wow"),
    ),
  ],
  wizard: () => [
    ...potato("happy"),
    circle(83, 106, 16, "none", "outline", 4.5),
    circle(119, 106, 16, "none", "outline", 4.5),
    stroke("M99 104Q101 101 103 104", "outline", 4.5),
    path("M32 66C60 50 140 46 172 58C178 66 170 74 160 72C130 64 76 68 46 80C34 82 26 74 32 66Z", "night", "outline", LINE),
    path("M62 60C74 36 84 12 118 2C112 18 128 28 146 54C120 50 88 52 62 60Z", "night", "outline", LINE),
    star(100, 38, 10, "gold", 2.5),
    circle(122, 44, 3, "gold"),
    circle(84, 52, 2.5, "gold"),
    stroke("M152 160L180 122", "wood", 7),
    star(183, 112, 15, "gold", 3),
  ],
  mitre: () => [
    stroke("M172 192V74C172 50 146 50 146 68C146 80 160 80 162 72", "outline", 12),
    stroke("M172 192V74C172 50 146 50 146 68C146 80 160 80 162 72", "gold", 6),
    ...potato("calm"),
    path("M56 76C54 50 70 26 98 4C130 24 146 50 144 74C118 66 82 66 56 76Z", "white", "outline", LINE),
    path("M56 76C82 66 118 66 144 74V86C118 78 82 78 56 88Z", "gold", "outline", LINE),
    path("M92 24H106V38H120V50H106V66H92V50H78V38H92Z", "red", "outline", 3),
  ],
  spyglass: () => [
    at("translate(-22 14) scale(0.94)", ...potato("sly")),
    at(
      "rotate(-24 110 110)",
      box([82, 94, 46, 34], 6, "wood", "outline", LINE),
      box([124, 88, 36, 46], 6, "gold", "outline", LINE),
      box([156, 82, 38, 58], 7, "wood", "outline", LINE),
      ellipse(194, 111, 9, 29, "ice", "outline", LINE),
    ),
    star(172, 26, 14, "gold", 3),
  ],
  trophy: () => [
    stroke("M56 52C24 46 22 98 66 102M144 52C176 46 178 98 134 102", "outline", 15),
    stroke("M56 52C24 46 22 98 66 102M144 52C176 46 178 98 134 102", "gold", 8),
    path("M50 34H150C152 92 138 122 112 130V150H88V130C62 122 48 92 50 34Z", "gold", "outline", LINE),
    path("M134 34H150C152 92 138 122 112 130C128 112 136 76 134 34Z", "gold-shade"),
    path("M50 34H150C152 92 138 122 112 130V150H88V130C62 122 48 92 50 34Z", "none", "outline", LINE),
    ellipse(100, 34, 51, 9, "gold-shade", "outline", LINE),
    path("M70 150H130L138 170H62Z", "wood", "outline", LINE),
    path("M54 170H146V190H54Z", "wood", "outline", LINE),
    at("translate(66 44) scale(0.35)", ...potato("happy")),
    gleam(172, 30, 13),
    gleam(30, 132, 10),
  ],
  "crystal-ball": () => [
    path("M48 176C62 146 138 146 152 176L160 192H40Z", "gold", "outline", LINE),
    circle(100, 92, 74, "ice", "outline", LINE),
    path("M40 112C58 92 82 128 104 110S150 96 172 106C166 142 138 166 100 166C70 166 46 144 40 112Z", "night-soft"),
    circle(100, 92, 74, "none", "outline", LINE),
    at("translate(52 50) scale(0.48)", ...potato("wow")),
    stroke("M46 76C52 56 64 44 80 38", "white", 7),
    star(150, 62, 10, "gold", 2.5),
    star(58, 130, 8, "gold", 2.5),
  ],
  hood: () => [
    ...potato("calm"),
    path("M30 190C22 150 26 60 62 30C84 12 122 10 144 30C178 60 180 150 172 190H134C152 160 152 110 138 84C118 66 84 66 66 84C50 112 50 160 66 190Z", "wood", "outline", LINE),
    stroke("M62 82C84 58 120 58 142 82", "outline", 3.5),
    stroke("M160 136V20", "outline", 16),
    stroke("M160 136V20", "blade", 9),
    stroke("M160 130V26", "white", 3.5),
    box([151, 134, 18, 40], 4, "steel", "outline", LINE),
    circle(160, 162, 11, "skin", "outline", LINE),
  ],
  jump: () => [
    stroke("M22 176C30 96 72 34 132 38", "faint", 6),
    at("translate(44 6) scale(0.66) rotate(14 100 100)", stroke("M40 110L14 86M160 110L188 88", "limb", 7), stroke("M78 174L58 192L76 200M122 174L146 190L130 202", "limb", 8), ...potato("happy")),
    path("M152 150H180L180 134L198 160L180 186V170H152Z", "red", "outline", LINE),
    path("M10 190C10 178 34 178 34 190Z", "faint"),
    stroke("M8 192H132", "limb", LINE),
    path("M62 192C62 172 96 172 96 192Z", "steel", "outline", LINE),
  ],
  comet: () => [
    path("M190 8C150 14 110 30 76 60C94 52 104 52 112 54C92 66 78 78 66 94C84 86 98 84 108 88C96 100 96 112 98 122L146 74C150 60 170 34 190 8Z", "fire", "outline", LINE),
    path("M168 26C142 40 116 60 96 88L118 96L140 68C146 54 156 40 168 26Z", "gold"),
    at("translate(2 62) scale(0.68) rotate(-38 100 100)", ...potato("cross", "ember")),
    stroke("M24 60L44 44M10 92L26 78M118 170L138 152M98 192L114 178", "faint", 6),
  ],
  spider: () => [
    stroke("M4 4L100 30L196 4M4 4C20 40 20 60 6 84M196 4C180 40 180 60 194 84", "faint", 3.5),
    stroke("M36 14C40 30 36 44 24 52M164 14C160 30 164 44 176 52", "faint", 3.5),
    stroke("M100 0V50", "limb", 3.5),
    stroke("M60 96C40 84 30 66 26 44M54 114C34 110 18 104 6 92M54 134C34 138 20 148 10 164M62 152C48 162 40 176 36 192M140 96C160 84 170 66 174 44M146 114C166 110 182 104 194 92M146 134C166 138 180 148 190 164M138 152C152 162 160 176 164 192", "limb", 8),
    at("translate(28 36) scale(0.72)", ...potato("sly")),
    stroke("M100 63V87M88 66L95 85M113 66L105 85M80 71C92 78 108 78 120 71M73 80C88 90 112 90 128 80", "red", 3),
  ],
};

export const PICTURES_KNOWN = Object.keys(PICTURES);

/**
 * A picture at a place, so wide and high.
 * @param {string} name @param {number} x @param {number} y @param {number} size
 */
export function picture(name, x, y, size) {
  const made = PICTURES[name];
  return made ? at(`translate(${x} ${y}) scale(${size / 200})`, ...made()) : null;
}

/** The bell of an alarm. @param {number} x @param {number} y @param {number} size */
export const alarm = (x, y, size) =>
  at(
    `translate(${x} ${y}) scale(${size / 100})`,
    path("M0 -44C24 -44 30 -22 30 0C30 16 36 22 42 28H-42C-36 22 -30 16 -30 0C-30 -22 -24 -44 0 -44Z", "gold", "outline", 7),
    path("M-14 30A14 14 0 0 0 14 30Z", "outline", "outline", 4),
    circle(0, -46, 6, "outline"),
  );

/** The target of a card that is aimed. @param {number} x @param {number} y @param {number} size */
export const target = (x, y, size) =>
  at(
    `translate(${x} ${y}) scale(${size / 100})`,
    circle(0, 0, 44, "red", "outline", 7),
    circle(0, 0, 26, "white", "outline", 4),
    circle(0, 0, 10, "red", "outline", 4),
  );

/** A golden potato, small. @param {number} x @param {number} y @param {number} size */
export const golden = (x, y, size) =>
  at(
    `translate(${x} ${y}) scale(${size / 100}) rotate(18)`,
    path("M-8 -44C22 -48 40 -24 40 4C40 32 22 46 0 46S-38 30 -38 4C-38 -18 -26 -42 -8 -44Z", "gold", "outline", 7),
    stroke("M-20 -8C-18 -20 -12 -26 -4 -30", "white", 8),
  );

/** The value of a card in a round field. @param {number} value @param {number} x @param {number} y @param {number} r */
export const badge = (value, x, y, r) =>
  at(
    "",
    circle(x, y, r, "ink"),
    written(String(value), { x, y: y - r * 0.62, high: r * 1.24, wide: r * 1.3, fill: "paper", bold: 12, from: "middle" }),
  );
