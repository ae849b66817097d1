// @ts-check
// A card on the table: a button where it can be picked or asked about, a picture with a name else.

import { drawBack, drawFace } from "./cards.js";
import { keep, make, mark, set } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Card} Card */

/** @type {WeakMap<Element, string>} */
const DRAWN = new WeakMap();

/** What is drawn of a card, as one text. @param {Card} card */
const picture = (card) => JSON.stringify([card.face ?? null, card.look ?? null]);

/** The name of a card for whoever hears it. @param {Card} card @param {number} place @param {string} zone */
export function nameOf(card, place, zone) {
  const name = card.name ?? card.says;
  if (name === undefined) return WORDS.cardAt(place + 1, zone);
  return card.remark ? `${name} (${card.remark})` : name;
}

/** @param {Card} card @returns {SVGSVGElement} */
const draw = (card) => (card.face === undefined ? drawBack() : drawFace(card.says ?? card.face, card.look));

/** Draw a card into its frame, if what is to be seen is another. @param {Element} frame @param {Card} card */
function drawInto(frame, card) {
  const now = picture(card);
  if (DRAWN.get(frame) === now) return;
  frame.querySelector("svg")?.remove();
  frame.prepend(draw(card));
  DRAWN.set(frame, now);
}

/**
 * Fill a list with cards.
 * @param {HTMLElement} list
 * @param {readonly Card[]} cards
 * @param {object} way
 * @param {boolean} way.asks - whether each card is a button, also one that cannot be picked now
 * @param {number} way.from - the place in the zone of the first of them
 * @param {string} way.zone - what the zone is called
 */
export function fill(list, cards, { asks, from, zone }) {
  keep(
    list,
    cards,
    (card) => `${card.card} ${isButton(card, asks)}`,
    (card) => item(card, isButton(card, asks)),
    (child, card, index) => {
      const frame = /** @type {HTMLElement} */ (child.firstElementChild);
      const name = nameOf(card, from + index, zone);
      drawInto(frame, card);
      set(frame, { "aria-label": name, title: card.says === undefined ? null : name });
      mark(frame, "is-can", Boolean(card.can));
      mark(frame, "is-picked", Boolean(card.picked));
      if (frame.tagName !== "BUTTON") return;
      const can = Boolean(card.can || card.picked);
      set(frame, { "aria-pressed": can ? Boolean(card.picked) + "" : null, "aria-disabled": can ? null : "true" });
    },
  );
}

/** @param {Card} card @param {boolean} asks */
const isButton = (card, asks) => asks || Boolean(card.can || card.picked);

/** @param {Card} card @param {boolean} isButton */
function item(card, isButton) {
  const attributes = { class: "card-frame card-place", "data-card": card.card };
  const frame = isButton
    ? make("button", { type: "button", tabindex: -1, ...attributes })
    : make("span", { role: "img", ...attributes });
  return make("li", { class: "slot" }, frame);
}

/** A card that is only seen, for one that flies. @param {Card} card */
export const flyer = (card) => make("div", { class: "card-frame flyer" }, draw(card));

/** Backs in a heap: as many as are worth drawing. @param {HTMLElement} heap @param {number} count */
export function pile(heap, count) {
  const drawn = Math.min(count, count > 20 ? 4 : count > 6 ? 3 : count > 1 ? 2 : 1);
  const backs = Array.from({ length: count === 0 ? 0 : drawn }, (_, index) => index);
  keep(heap, backs, String, () => make("span", { class: "card-frame" }, drawBack()), () => {});
}
