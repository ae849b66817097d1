// @ts-check
// Seats around the table: who sits there, how it stands with them, and the cards that lie before them.

import { button, icon, keep, list, make, mark, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";
import { keyOf, updateZone, zoneElement } from "./zones.js";

/** @typedef {import("./texts.js").Seat} Seat */
/** @typedef {import("./texts.js").Zone} Zone */
/** @typedef {import("./texts.js").Table} Table */
/** @typedef {{openOnce: ReadonlySet<string>, wish: import("./texts.js").Wish}} Around */

/** How many of the others sit to the left, above and to the right. @type {Record<number, [number, number, number]>} */
const SIDES = {
  0: [0, 0, 0], 1: [0, 1, 0], 2: [0, 2, 0], 3: [1, 1, 1], 4: [1, 2, 1], 5: [1, 3, 1],
  6: [2, 2, 2], 7: [2, 3, 2], 8: [2, 4, 2], 9: [2, 5, 2],
};

/** The others in the order of turns, beginning after the own seat. @param {readonly Seat[]} seats */
export function othersInOrder(seats) {
  const own = seats.findIndex((seat) => seat.is_you);
  return own < 0 ? [...seats] : [...seats.slice(own + 1), ...seats.slice(0, own)];
}

/**
 * @param {HTMLElement[]} sides - left, above, right
 * @param {Table} table
 * @param {Around} around
 */
export function updateSeats(sides, table, around) {
  const others = othersInOrder(table.seats);
  const counts = SIDES[others.length] ?? [0, others.length, 0];
  let from = 0;
  sides.forEach((side, index) => {
    const here = others.slice(from, (from += counts[index] ?? 0));
    keep(side, here, (seat) => String(seat.seat), (seat) => seatElement(seat, around), (element, seat) => {
      updateSeat(element, seat, table, around);
    });
  });
}

/** @param {Seat} seat @param {Around} around */
function seatElement(seat, around) {
  const mute = button(WORDS.mute, () => {
    around.wish("muted" in mute.dataset ? "unmute" : "mute", { seat: seat.seat });
  }, { class: "small" });
  return make(
    "section",
    { class: "seat", "data-seat": seat.seat },
    make(
      "details",
      { class: "seat-plate" },
      make(
        "summary",
        { class: "seat-head" },
        icon("turn"),
        make("bdi", { class: "seat-name" }),
        make("span", { class: "seat-badge" }),
        make("span", { class: "seat-way" }),
      ),
      make("div", { class: "seat-more" }, make("p", { class: "seat-mark" }), make("ul", { class: "seat-reach" }), mute),
    ),
    make("p", { class: "seat-says" }),
    make("div", { class: "seat-zones" }),
  );
}

/**
 * @param {HTMLElement} element
 * @param {Seat} seat
 * @param {Table} table
 * @param {Around} around
 */
function updateSeat(element, seat, table, around) {
  const share = table.progress?.shares.find(([one]) => one === seat.seat)?.[1] ?? null;
  const badges = [seat.is_you && WORDS.you, seat.is_bot && WORDS.bot, seat.is_program && WORDS.byProgram, seat.is_muted && WORDS.muted].filter(Boolean);
  const says = [seat.sitting === "there" ? null : seat.sitting, seat.awaited].filter(Boolean).join(", ");
  const heard = [seat.name, ...badges, seat.has_turn && WORDS.turn, says].filter(Boolean).join(", ");
  set(element, { "data-sitting": seat.sitting, "data-share": share, "aria-label": heard });
  mark(element, "has-turn", seat.has_turn);
  mark(element, "is-awaited-for", seat.awaited !== null);
  tell(part(element, ".seat-name"), seat.name);
  tell(part(element, ".seat-badge"), badges.join(" · "));
  tell(part(element, ".seat-says"), says);
  show(part(element, ".seat-says"), says !== "");
  tell(part(element, ".seat-way"), wayOf(seat));
  set(part(element, ".seat-way"), { "data-way": seat.reach.way, title: seat.reach.says.join(", ") });
  tell(part(element, ".seat-mark"), seat.mark);
  list(part(element, ".seat-reach"), seat.reach.says);
  const mute = part(element, ".seat-more button");
  show(mute, !seat.is_you && table.recording === undefined);
  tell(mute, seat.is_muted ? WORDS.unmute : WORDS.mute);
  set(mute, { "data-muted": seat.is_muted });
  updateZones(part(element, ".seat-zones"), table.zones.filter((zone) => zone.seat === seat.seat), around, seat.name);
}

/** @param {HTMLElement} element @param {string} selector */
const part = (element, selector) => /** @type {HTMLElement} */ (element.querySelector(selector));

/** The way to a seat in a word, with the time of a round trip. @param {Seat} seat */
function wayOf({ reach, is_bot }) {
  if (is_bot || reach.way === "here") return "";
  if (reach.round_trip_us === null) return reach.way;
  return `${reach.way} ${Math.round(reach.round_trip_us / 1000)} ms`;
}

/**
 * @param {HTMLElement} parent
 * @param {readonly Zone[]} zones
 * @param {Around} around
 * @param {string} owner
 */
export function updateZones(parent, zones, around, owner = "") {
  keep(parent, zones, keyOf, zoneElement, (element, zone) => {
    updateZone(element, zone, { wasOpen: around.openOnce.has(keyOf(zone)), owner });
  });
  set(parent, { "data-zones": zones.length });
}
