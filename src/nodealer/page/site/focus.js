// @ts-check
// The focus, which is never lost: where what had it is gone, what is nearest to it gets it.

/**
 * Change the page, and keep the focus where it was.
 * @param {() => void} change
 */
export function keepFocus(change) {
  const before = document.activeElement;
  const path = before && before !== document.body ? pathOf(before) : null;
  change();
  if (!path || (before?.isConnected && isSeen(before) && document.activeElement === before)) return;
  if (document.activeElement !== before && document.activeElement !== document.body) return; // it was given on
  if (before instanceof HTMLElement && before.isConnected && isSeen(before)) return before.focus({ preventScroll: true });
  nearest(path)?.focus({ preventScroll: true });
}

/** @typedef {{card: string | undefined, place: number, zone: string | undefined, above: Element[]}} Path */

/** Where an element is: what is around it, and at which place in its zone. @param {Element} element @returns {Path} */
function pathOf(element) {
  const above = [];
  for (let one = element.parentElement; one; one = one.parentElement) above.push(one);
  const list = element.closest(".cards");
  return {
    card: /** @type {HTMLElement} */ (element).dataset?.card,
    place: list ? [...list.querySelectorAll("[data-card]")].indexOf(element) : -1,
    zone: /** @type {HTMLElement | null} */ (element.closest(".zone"))?.dataset.zone,
    above,
  };
}

/** @param {Path} path @returns {HTMLElement | undefined} */
function nearest({ card, place, zone, above }) {
  /** @param {string} selector */
  const all = (selector) => /** @type {HTMLElement[]} */ ([...document.querySelectorAll(selector)].filter(isSeen));
  if (card !== undefined) {
    const same = all(`button[data-card="${card}"]`)[0];
    if (same) return same;
  }
  if (zone !== undefined) {
    const cards = all(`[data-zone="${CSS.escape(zone)}"] button[data-card]`);
    if (cards.length > 0) return cards[Math.min(Math.max(place, 0), cards.length - 1)];
  }
  const isAtTable = above.some((one) => one.classList.contains("table"));
  if (isAtTable) {
    return all(".choice .play")[0] ?? all(".choice .option")[0] ?? all(".own button[data-card][tabindex='0']")[0] ?? all(".headline")[0];
  }
  return /** @type {HTMLElement | undefined} */ (above.find((one) => one.isConnected && isSeen(one) && one.hasAttribute("tabindex"))) ?? all("main")[0];
}

/** @param {Element} element */
const isSeen = (element) => element.getClientRects().length > 0;
