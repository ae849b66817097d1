// @ts-check
// Zones: how the cards of one lie is decided by what is told of them - whose they are, how many,
// whether they are seen, whether they can be picked - and never by which game it is.

import { fill, pile } from "./card_element.js";
import { make, mark, set, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Zone} Zone */
/** @typedef {import("./texts.js").Card} Card */
/**
 * How the cards of a zone lie:
 *   strip    one beside the other, each with room for a finger
 *   row      overlapping, the last on top; older ones of many are only counted
 *   backs    small backs, close together
 *   pile     one on the other
 * @typedef {"strip" | "row" | "backs" | "pile"} Lie
 */

/** So many cards of a row are drawn; the others lie below. */
const ROW_MAX = 12;
const BACKS_MAX = 14;

/** @param {Zone} zone */
export const keyOf = (zone) => `${zone.seat ?? "all"}/${zone.name}`;

/** @param {Card} card */
const isOpen = (card) => Boolean(card.can || card.picked);

/**
 * How the cards of a zone lie. What could be picked once stays open, so nothing jumps.
 * @param {Zone} zone
 * @param {boolean} wasOpen
 * @returns {Lie}
 */
export function lieOf(zone, wasOpen) {
  const seen = zone.cards.some((card) => card.face !== undefined);
  const open = zone.cards.filter(isOpen).length;
  if (zone.seat !== null) {
    if (open > 0 || wasOpen) return "strip";
    if (zone.is_own) return seen && zone.count > ROW_MAX ? "row" : "strip";
    return seen ? "row" : "backs";
  }
  if (!seen) return open > 1 ? "strip" : "pile";
  return open > 1 ? "strip" : "row";
}

/** The element of a zone. @param {Zone} zone */
export function zoneElement(zone) {
  return make(
    "section",
    { class: "zone", "data-zone": keyOf(zone), tabindex: -1 },
    make("h2", { class: "zone-name" }, make("span", { class: "zone-says" }), make("span", { class: "zone-count" })),
    make("div", { class: "heap", "aria-hidden": "true", hidden: true }),
    make("ul", { class: "cards", role: "list" }),
  );
}

/**
 * @param {HTMLElement} element
 * @param {Zone} zone
 * @param {object} seen
 * @param {boolean} seen.wasOpen
 * @param {string} seen.owner - the name of whose zone it is, which stands beside it
 */
export function updateZone(element, zone, { wasOpen, owner }) {
  const lie = lieOf(zone, wasOpen);
  const says = owner && zone.says.startsWith(`${owner}: `) ? zone.says.slice(owner.length + 2) : zone.says;
  const [heap, list] = /** @type {[HTMLElement, HTMLElement]} */ ([element.children[1], element.children[2]]);
  set(element, { "data-lie": lie, "aria-label": `${zone.says}: ${WORDS.cards(zone.count)}` });
  tell(/** @type {Element} */ (element.querySelector(".zone-says")), says);
  tell(/** @type {Element} */ (element.querySelector(".zone-count")), String(zone.count));
  mark(element, "is-counted", lie === "pile" || lie === "backs" || zone.count > drawnOf(zone, lie).length);
  mark(element, "is-empty", zone.count === 0);
  mark(element, "is-wanted", zone.cards.some((card) => card.can));
  mark(element, "has-picked", zone.cards.some((card) => card.picked));

  const isPile = lie === "pile";
  if (heap.hidden !== !isPile) heap.hidden = !isPile;
  pile(heap, isPile ? zone.count : 0);
  const shown = drawnOf(zone, lie);
  const from = zone.cards.length - shown.length;
  fill(list, shown, { asks: zone.is_own && lie === "strip", from, zone: zone.says });
}

/** The cards of a zone that are drawn one by one. @param {Zone} zone @param {Lie} lie */
function drawnOf(zone, lie) {
  switch (lie) {
    case "pile":
      return zone.cards.filter(isOpen);
    case "row":
      return zone.cards.filter((card, index) => isOpen(card) || index >= zone.cards.length - ROW_MAX);
    case "backs":
      return zone.cards.slice(-BACKS_MAX);
    default:
      return zone.cards;
  }
}
