// @ts-check
// How it stands: the headline, who is waited for, what everybody does together, the round, the end.

import { button, child, keep, list, make, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Table} Table */

/** The headline of a joint step is shown only if it lasts so long; most pass quickly. */
const SETTLED_MS = 250;

export function headlineView() {
  const text = make("h2", { class: "headline", id: "headline", tabindex: -1 });
  const bar = make("span", { class: "patience-bar" });
  const patience = make("div", { class: "patience", "aria-hidden": "true", hidden: true }, bar);
  const waits = make("ul", { class: "waits", role: "list" });
  const root = make("div", { class: "head" }, text, patience, waits);
  let timer = 0;
  /** The longest time that was left at this height. */
  let whole = { height: -1, ticks: 1 };

  /** @param {Table} table */
  function update(table) {
    clearTimeout(timer);
    const isPassing = table.progress !== null && table.progress.why === "" && !table.is_asked;
    if (!isPassing || text.textContent === "") tell(text, table.headline);
    else timer = setTimeout(() => tell(text, table.headline), SETTLED_MS);
    set(root, { "data-state": table.state, "data-asked": table.is_asked });
    list(waits, table.waits);
  }

  /** @param {Table} table @param {number} tick */
  function pass(table, tick) {
    show(patience, table.patience !== null);
    if (table.patience === null) return;
    const { suspended, until, passes_at: passes } = table.patience;
    const left = Math.max(0, (passes ?? (tick < suspended ? suspended : until)) - tick);
    if (whole.height !== table.height || left > whole.ticks) whole = { height: table.height, ticks: Math.max(left, 1) };
    bar.style.setProperty("transform", `scaleX(${Math.min(1, left / whole.ticks)})`);
    set(patience, { "data-short": tick >= suspended || left < Math.min(15_000, whole.ticks / 2) });
  }
  return { root, text, update, pass };
}

/** What everybody does together, where it is worth a sentence. */
export function progressView() {
  const says = make("p", { class: "progress-says" });
  const why = make("p", { class: "progress-why" });
  const shares = make("ol", { class: "shares", role: "list" });
  const root = make("section", { class: "progress", hidden: true }, says, shares, why);

  /** @param {Table} table */
  function update(table) {
    const { progress } = table;
    show(root, progress !== null && progress.why !== "");
    if (progress === null) return;
    tell(says, capital(progress.says));
    tell(why, progress.why);
    keep(shares, progress.shares, ([seat]) => String(seat), () => make("li", { class: "share" }), (element, [seat, share]) => {
      const word = share === "done" ? WORDS.done : share === "later" ? WORDS.later : WORDS.now;
      set(element, { "data-share": share });
      tell(element, `${table.seats[seat]?.name ?? ""}: ${word}`);
    });
  }
  return { root, update };
}

/** @param {string} text */
const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The round, in phrases of the game. */
export function roundView() {
  const lines = make("ul", { class: "round", role: "list", "aria-label": WORDS.status });
  /** @param {Table} table */
  const update = (table) => {
    list(lines, table.status);
    show(lines, table.status.length > 0);
  };
  return { root: lines, update };
}

/** What is out of order: each kind with its own title and look. */
export function noticesView() {
  const root = make("div", { class: "notices", role: "group", "aria-label": WORDS.outOfOrder, hidden: true });
  /** @param {Table} table */
  function update({ notices }) {
    keep(root, notices, (one, index) => `${one.kind} ${index}`, noticeElement, (element, one) => {
      set(element, { "data-kind": one.kind });
      tell(child(element, 0), WORDS.notices[one.kind] ?? one.kind);
      list(child(element, 1), one.says);
    });
    show(root, notices.length > 0);
  }
  return { root, update };
}

const noticeElement = () => make("section", { class: "notice" }, make("h2"), make("ul", { role: "list" }));

/**
 * The end: who has come in which place, and another game.
 * @param {(what: string, fields?: Record<string, unknown>) => void} step
 * @param {() => void} goHome
 */
export function endView(step, goHome) {
  const places = make("ol", { class: "places", role: "list" });
  const again = button(WORDS.again, () => step("again"), { class: "primary" });
  const wishes = make("p", { class: "end-wishes" });
  const home = button(WORDS.home, goHome, { class: "quiet" });
  const root = make(
    "section",
    { class: "end", "aria-label": WORDS.standing, hidden: true },
    make("h2", { class: "end-title" }, WORDS.standing),
    places,
    wishes,
    make("div", { class: "row" }, again, home),
  );
  /** @param {Table} table */
  const update = (table) => {
    list(places, table.standing);
    show(root, table.standing.length > 0);
    tell(wishes, table.wishes_again);
    show(wishes, table.wishes_again !== "");
    tell(again, table.may_again ? WORDS.again : WORDS.wishAgain);
    show(again, table.may_again || table.may_wish_again);
    show(home, table.recording === undefined);
  };
  return { root, update };
}
