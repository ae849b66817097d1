// @ts-check
/** All faces of all games, or of one; the address says of which size and in which theme. */

import { drawBack, drawFace, drawPicture } from "./cards.js";

const asked = new URLSearchParams(location.search);
const width = asked.get("width") ?? "96";
document.documentElement.dataset.theme = asked.get("theme") ?? "light";
if (asked.has("suits")) document.documentElement.dataset.suits = asked.get("suits") ?? "";

/** @param {SVGSVGElement} drawn @param {string} name */
function framed(drawn, name) {
  const frame = document.createElement("div");
  frame.className = `card-frame width-${width}`;
  frame.dataset.name = name;
  frame.append(drawn);
  return frame;
}

/** @param {string} name @param {HTMLElement[]} cards @param {string} [layout] */
function section(name, cards, layout = "cards") {
  const heading = document.createElement("h2");
  heading.textContent = name;
  const row = document.createElement("div");
  row.className = layout;
  row.dataset.deck = name;
  row.append(...cards);
  document.body.append(heading, row);
}

const answer = await fetch("decks.json");
/** @type {Record<string, Record<string, unknown>>} */
const decks = await answer.json();
for (const [game, looks] of Object.entries(decks)) {
  if (asked.has("game") && asked.get("game") !== game) continue;
  const drawn = Object.entries(looks).map(([word, look]) => framed(drawFace(word, look), word));
  const some = asked.has("hand") ? drawn.filter((_, number) => number % Math.max(1, Math.floor(drawn.length / 10)) === 0).slice(0, 10) : drawn;
  section(game, some, asked.has("hand") ? "hand" : "cards");
}
if (!asked.has("game") || asked.get("game") === "backs") {
  section("backs", [null, 0, 3, 12].map((mark) => framed(drawBack(mark), String(mark))));
}
const token = drawPicture("golden-potato");
if (token) document.body.append(token);
document.body.dataset.drawn = "yes";
