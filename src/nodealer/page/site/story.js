// @ts-check
// The story of the table and what was said at it. The document has so many lines and no more; older
// ones come when they are asked for, and take the place of newer ones.

import { button, child, keep, list, make, set, show, tell } from "./dom.js";
import { isAfter } from "./memory.js";
import { settings } from "./settings.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").LogLine} LogLine */
/** @typedef {{key: string, says: string, lines: LogLine[], tone: string}} Entry */
/** @typedef {import("./memory.js").Memory} Memory */

/** So many lines are in the document. */
export const SHOWN_MAX = 300;
const PAGE = 200;

export function storyView() {
  /** The lines that are shown end here, counted from the newest. */
  let back = 0;
  /** @type {Memory | null} */
  let memory = null;
  /** @type {readonly [number, number] | null} */
  let away = null;

  const older = button(WORDS.older, () => turn(PAGE), { class: "small" });
  const newest = button(WORDS.newest, () => turn(-back), { class: "small" });
  const gone = make("p", { class: "hint" }, WORDS.gone);
  const nothing = make("p", { class: "hint" }, WORDS.nothingTold);
  const lines = make("ol", { class: "lines", role: "list" });
  const scroll = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": WORDS.log }, gone, older, nothing, lines, newest);

  /** @param {number} by */
  function turn(by) {
    back = Math.max(0, back + by);
    draw();
  }

  function draw() {
    if (!memory) return;
    const all = memory.lines;
    back = Math.min(back, Math.max(0, all.length - 1));
    const end = all.length - back;
    const start = Math.max(0, end - SHOWN_MAX);
    const isLow = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
    show(older, start > 0);
    show(newest, back > 0);
    show(gone, memory.gone && start === 0);
    show(nothing, all.length === 0);
    keep(lines, entries(all.slice(start, end), away), (entry) => entry.key, lineElement, updateLine);
    if (isLow && back === 0) scroll.scrollTop = scroll.scrollHeight;
  }

  return {
    root: scroll,
    /** @param {Memory} now */
    update(now) {
      memory = now;
      draw();
    },
    /** Mark where somebody who was away had been. @param {readonly [number, number] | null} at */
    since(at) {
      away = at;
    },
    low() {
      scroll.scrollTop = scroll.scrollHeight;
    },
  };
}

/**
 * Lines as they are shown: steps of proof that follow each other are folded into one.
 * @param {readonly LogLine[]} lines
 * @param {readonly [number, number] | null} away
 * @returns {Entry[]}
 */
function entries(lines, away) {
  /** @type {Entry[]} */
  const found = [];
  let isMarked = away === null;
  for (const line of lines) {
    const key = line.at.join(".");
    if (away && !isMarked && isAfter(line, away)) {
      isMarked = true;
      found.push({ key: "away", says: WORDS.away, lines: [], tone: "away" });
    }
    const last = found.at(-1);
    if (line.tone !== "protocol" || settings.steps) found.push({ key, says: line.text, lines: [], tone: line.tone });
    else if (last?.tone === "folded") last.lines.push(line);
    else found.push({ key: `${key} folded`, says: "", lines: [line], tone: "folded" });
  }
  return found;
}

/** @param {Entry} entry */
function lineElement(entry) {
  if (entry.tone !== "folded") return make("li", { class: "line" });
  return make("li", { class: "line" }, make("details", {}, make("summary"), make("ul", { role: "list" })));
}

/** @param {Element} element @param {Entry} entry */
function updateLine(element, entry) {
  set(element, { "data-tone": entry.tone });
  const details = element.firstElementChild;
  if (entry.tone !== "folded" || !details) return tell(element, entry.says);
  tell(child(details, 0), WORDS.folded(entry.lines.length));
  list(child(details, 1), entry.lines.map((line) => line.text));
}

/** The field in which something is said. @param {(text: string) => Promise<boolean>} say @param {string} says @param {number} most */
export function sayForm(say, says, most) {
  const input = make("input", {
    class: "chat-input", name: "text", maxlength: most, autocomplete: "off", "aria-label": says, placeholder: says,
  });
  const form = make("form", { class: "chat-form" }, input, make("button", { class: "small" }, WORDS.say));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text && (await say(text))) input.value = "";
  });
  return { form, input };
}

/** A line that somebody has said. */
export const saidElement = () => make("li", { class: "said" }, make("bdi", { class: "said-by" }), make("bdi", { class: "said-text" }));

/** @param {Element} element @param {string} name @param {string} text @param {boolean} isOwn */
export function fillSaid(element, name, text, isOwn) {
  tell(child(element, 0), name);
  tell(child(element, 1), text);
  set(element, { "data-own": isOwn });
}

/** @param {(text: string) => Promise<boolean>} say */
export function chatView(say) {
  const lines = make("ol", { class: "lines", role: "list" });
  const nothing = make("p", { class: "hint" }, WORDS.nothingSaid);
  const scroll = make("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": WORDS.chat }, nothing, lines);
  const { form, input } = sayForm(say, WORDS.sayWhat, 500);
  const root = make("div", { class: "chat" }, scroll, form);

  /** @param {Memory} memory */
  function update({ chat, shown }) {
    if (shown?.is !== "table") return;
    const { seats, recording } = shown;
    const heard = chat.filter((line) => !seats[line.seat]?.is_muted).slice(-SHOWN_MAX);
    const isLow = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
    keep(lines, heard, (line) => `${line.seat}.${line.number}`, saidElement, (element, line) => {
      fillSaid(element, seats[line.seat]?.name ?? "", line.text, Boolean(seats[line.seat]?.is_you));
    });
    show(nothing, heard.length === 0);
    show(form, recording === undefined && seats.some((seat) => seat.is_you));
    if (isLow) scroll.scrollTop = scroll.scrollHeight;
  }
  return { root, input, update };
}
