// @ts-check
// Cards that move from where they lay to where they lie, by their numbers.
//
// Before the table is changed it is asked where every card is; after it, cards that lie elsewhere
// fly there, above everything, while their places wait for them. Nothing waits for a card that
// flies: the table is what it is at once, for hands, for eyes that are still and for readers.

import { flyer } from "./card_element.js";
import { keyOf } from "./zones.js";

/** @typedef {import("./texts.js").Zone} Zone */
/** @typedef {{box: DOMRect, zone: string}} Lay */
/** @typedef {Map<number, Lay>} Lays */

const FLIGHT_MS = 380;
const SHIFT_MS = 220;
const STAGGER_MS = 35;
const FLYERS_MAX = 24;
const EASING = "cubic-bezier(.2, .7, .2, 1)";

/** The flights that are under way: by card, the flyer and its place. @type {Map<number, {flyer: HTMLElement, place: Element | null}>} */
const FLYING = new Map();

/**
 * Say where every card lies now.
 * @param {ParentNode} root
 * @param {readonly Zone[]} zones
 * @returns {Lays}
 */
export function whereLie(root, zones) {
  /** @type {Lays} */
  const lays = new Map();
  const boxes = new Map();
  for (const frame of root.querySelectorAll("[data-card]")) {
    boxes.set(Number(/** @type {HTMLElement} */ (frame).dataset.card), frame.getBoundingClientRect());
  }
  for (const zone of zones) {
    const key = keyOf(zone);
    /** @type {DOMRect | null} */
    let heap = null;
    for (const { card } of zone.cards) {
      const box = FLYING.get(card)?.flyer.getBoundingClientRect() ?? boxes.get(card) ?? (heap ??= heapBox(root, key));
      if (box && box.width > 0) lays.set(card, { box, zone: key });
    }
  }
  return lays;
}

/** @param {ParentNode} root @param {string} key */
function heapBox(root, key) {
  const zone = root.querySelector(`[data-zone="${CSS.escape(key)}"]`);
  const heap = zone?.querySelector(".heap:not([hidden]) > :last-child, .slot:last-child > *") ?? zone;
  return heap ? heap.getBoundingClientRect() : null;
}

/**
 * Let cards move to where they lie now.
 * @param {ParentNode} root
 * @param {HTMLElement} sky - where cards fly
 * @param {readonly Zone[]} zones
 * @param {Lays} before
 */
export function moveCards(root, sky, zones, before) {
  for (const one of [...FLYING.keys()]) land(one);
  const after = whereLie(root, zones);
  let flyers = 0;
  for (const zone of zones) {
    for (const card of zone.cards) {
      const [lay, lies] = [before.get(card.card), after.get(card.card)];
      if (!lay || !lies || isNear(lay.box, lies.box)) continue;
      const place = root.querySelector(`[data-card="${card.card}"]`);
      if (lay.zone === lies.zone) {
        if (place) shift(place, lay.box, lies.box);
      } else if (flyers < FLYERS_MAX) {
        fly(sky, card, place, lay.box, lies.box, flyers * STAGGER_MS);
        flyers += 1;
      }
    }
  }
}

/** @param {DOMRect} a @param {DOMRect} b */
const isNear = (a, b) => Math.abs(a.x - b.x) < 2 && Math.abs(a.y - b.y) < 2;

/** @param {DOMRect} from @param {DOMRect} to */
const between = (from, to) =>
  `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / Math.max(to.width, 1)})`;

/** A card that makes room in its own zone. @param {Element} place @param {DOMRect} from @param {DOMRect} to */
function shift(place, from, to) {
  place.animate(
    [{ transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "none" }],
    { duration: SHIFT_MS, easing: EASING },
  );
}

/**
 * @param {HTMLElement} sky
 * @param {import("./texts.js").Card} card
 * @param {Element | null} place
 * @param {DOMRect} from
 * @param {DOMRect} to
 * @param {number} delay
 */
function fly(sky, card, place, from, to, delay) {
  const flying = flyer(card);
  flying.style.setProperty("left", `${to.x}px`);
  flying.style.setProperty("top", `${to.y}px`);
  flying.style.setProperty("width", `${to.width}px`);
  sky.append(flying);
  place?.classList.add("is-awaited");
  FLYING.set(card.card, { flyer: flying, place });
  const flight = flying.animate([{ transform: between(from, to) }, { transform: "none" }], {
    duration: FLIGHT_MS,
    delay,
    easing: EASING,
    fill: "backwards",
  });
  flight.onfinish = flight.oncancel = () => {
    if (FLYING.get(card.card)?.flyer === flying) land(card.card);
  };
}

/** @param {number} card */
function land(card) {
  const flight = FLYING.get(card);
  FLYING.delete(card);
  flight?.flyer.remove();
  flight?.place?.classList.remove("is-awaited");
}
