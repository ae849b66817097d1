// @ts-check
// The table: seats around, the middle, the own cards, and the choice. It shows what it is told, and
// changes what is there instead of making it anew.

import { choiceView } from "./choice.js";
import { make, mark, set, show } from "./dom.js";
import { numberForKeys } from "./keys.js";
import { moveCards, whereLie } from "./moving.js";
import { recordingView } from "./recording.js";
import { updateSeats, updateZones } from "./seats.js";
import { hasMotion } from "./settings.js";
import { endView, headlineView, noticesView, progressView, roundView } from "./status.js";
import { WORDS } from "./words.js";
import { keyOf } from "./zones.js";

/** @typedef {import("./texts.js").Table} Table */
/** @typedef {import("./texts.js").Zone} Zone */

/**
 * @param {object} hooks
 * @param {import("./texts.js").Wish} hooks.wish
 * @param {(says: string) => void} hooks.refused - told why a wish was not granted
 * @param {() => void} hooks.goHome
 */
export function tableView({ wish, refused, goHome }) {
  /** @type {Table | null} */
  let table = null;
  /** Zones of which a card could be picked once. @type {Set<string>} */
  const openOnce = new Set();
  /** Zones of everybody that have had cards in this game. @type {Map<string, Zone>} */
  const places = new Map();

  /** One step that is meant for the table as it is shown. @param {string} what @param {Record<string, unknown>} [fields] */
  async function step(what, fields = {}) {
    if (!table) return;
    const answer = await wish(what, { height: table.height, ...fields });
    if (answer.refused === "away") refused(WORDS.notSent);
    else if (answer.refused && answer.refused !== "late") refused(answer.says || answer.refused);
  }

  const head = headlineView();
  const progress = progressView();
  const round = roundView();
  const notices = noticesView();
  const end = endView(step, goHome);
  const choice = choiceView(step);
  const recording = recordingView(wish);
  const sides = ["left", "top", "right"].map((side) => make("div", { class: `seats seats-${side}` }));
  const middle = make("div", { class: "middle", id: "middle", tabindex: -1, role: "group", "aria-label": WORDS.middle });
  const common = make("div", { class: "common" });
  middle.append(end.root, progress.root, common, round.root);
  const felt = make("div", { class: "felt" }, ...sides, middle);
  const own = make("div", { class: "own", id: "own", tabindex: -1, role: "group", "aria-label": WORDS.own });
  const dock = make("div", { class: "dock" }, head.root, own, choice.root, recording.root);
  const root = make("div", { class: "table", id: "table" }, notices.root, felt, dock);

  root.addEventListener("click", (event) => {
    const card = /** @type {Element} */ (event.target).closest("button[data-card]");
    if (card instanceof HTMLElement) {
      step(card.getAttribute("aria-pressed") === "true" ? "put-back" : "pick", { card: Number(card.dataset.card) });
    }
  });

  /** @param {Table} now @param {HTMLElement} sky */
  function update(now, sky) {
    const isSame = table !== null && gameOf(table) === gameOf(now);
    if (!isSame) {
      openOnce.clear();
      places.clear();
    }
    for (const zone of now.zones) {
      if (zone.cards.some((card) => card.can || card.picked)) openOnce.add(keyOf(zone));
    }
    const moves = isSame && hasMotion() && !document.hidden;
    const before = moves && table ? whereLie(root, table.zones) : null;
    table = now;
    draw(now);
    if (before) moveCards(root, sky, now.zones, before);
  }

  /** @param {Table} now */
  function draw(now) {
    const around = { openOnce, wish };
    const hasEnded = now.standing.length > 0;
    set(root, { "data-state": now.state, "data-ended": hasEnded, "data-others": now.seats.filter((seat) => !seat.is_you).length });
    mark(root, "is-asked", now.is_asked);
    updateSeats(sides, now, around);
    updateZones(common, withEmpty(now), around);
    updateZones(own, now.zones.filter((zone) => zone.is_own), around);
    for (const view of [head, notices, progress, round, end, choice, recording]) view.update(now);
    show(own, now.zones.some((zone) => zone.is_own) || now.state === "playing");
    rove(root);
    numberForKeys(root);
  }

  /** The zones of everybody; one that has lost its last card keeps its place. @param {Table} now */
  function withEmpty(now) {
    const here = new Map(now.zones.filter((zone) => zone.seat === null).map((zone) => [keyOf(zone), zone]));
    for (const [key, zone] of here) places.set(key, zone);
    const isOver = now.standing.length > 0;
    return [...places]
      .map(([key, zone]) => here.get(key) ?? { ...zone, count: 0, cards: [] })
      .filter((zone) => zone.count > 0 || !isOver);
  }

  return {
    root,
    update,
    playNow: choice.playNow,
    /** @param {number} tick */
    pass: (tick) => table && head.pass(table, tick),
    step,
  };
}

/** What a table is told apart by: another game, or a record of the same one, begins anew. @param {Table} table */
const gameOf = ({ mark, games, recording }) => `${mark} ${games} ${recording !== undefined}`;

/** In each zone one card is reached by Tab, the others by arrows. @param {ParentNode} root */
export function rove(root) {
  for (const list of root.querySelectorAll(".cards")) {
    const cards = /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("button[data-card]"));
    if (cards.length === 0) continue;
    const active = document.activeElement;
    const reached =
      [...cards].find((card) => card === active) ??
      [...cards].find((card) => card.tabIndex === 0) ??
      [...cards].find((card) => card.classList.contains("is-can")) ??
      cards[0];
    for (const card of cards) if ((card.tabIndex === 0) !== (card === reached)) card.tabIndex = card === reached ? 0 : -1;
  }
}

