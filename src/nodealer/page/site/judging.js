// @ts-check
// A record is brought here and judged: dropped anywhere on the page, or chosen. It goes to the own
// node in pieces, which has a process of its own check it; the table goes on meanwhile.

import { dialog } from "./dialogs.js";
import { button, keep, list, make, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Verdict} Verdict */

const PIECE_BYTES = 45_000;
/** So many bytes become letters at once. */
const CHUNK_BYTES = 9_000;

/** @param {import("./texts.js").Wish} wish */
export function judgingDialog(wish) {
  const input = make("input", { type: "file", class: "judging-input", "aria-label": WORDS.chooseFile });
  const hint = make("p", { class: "hint" }, WORDS.dropHint);
  const state = make("p", { class: "judging-state", role: "status" });
  const progress = make("progress", { class: "judging-progress", max: 1, "aria-label": WORDS.checking, hidden: true });
  const word = make("p", { class: "judging-word" });
  const culprit = make("p", { class: "judging-culprit" });
  const counts = make("table", { class: "judging-counts" });
  const body = make("tbody");
  const head = make("tr", {}, ...WORDS.counts.map((one) => make("th", { scope: "col" }, one)));
  counts.append(make("caption", { class: "unseen" }, WORDS.checks), make("thead", {}, head), body);
  const says = make("ul", { class: "judging-says", role: "list" });
  const found = make("section", { class: "judging-found", hidden: true }, word, culprit, make("div", { class: "wide" }, counts), says);
  const { root } = dialog(WORDS.judge, hint, input, state, progress, found);

  /** The file that is being brought; another one takes its place. @type {File | null} */
  let brought = null;

  input.addEventListener("change", () => input.files?.[0] && bring(input.files[0]));

  /** @param {File} file */
  async function bring(file) {
    brought = file;
    if (!root.open) root.showModal();
    show(found, false);
    say(WORDS.bringing(file.name), 0);
    const why = await send(file, () => brought === file);
    if (brought !== file) return;
    if (why !== null) stop(why);
    else say(WORDS.checkingFile(file.name), null);
  }

  /** Send a file in pieces; says why not, or nothing. @param {File} file @param {() => boolean} isWanted */
  async function send(file, isWanted) {
    const begun = await wish("judge", { name: file.name.slice(0, 200), size: file.size });
    if (begun.refused) return begun.says || WORDS.notSent;
    for (let from = 0; from < file.size && isWanted(); from += PIECE_BYTES) {
      const bytes = await file.slice(from, from + PIECE_BYTES).arrayBuffer().catch(() => null);
      if (bytes === null) return WORDS.unreadable;
      const answer = await wish("piece", { data: encoded(new Uint8Array(bytes)) });
      if (answer.refused) return answer.says || WORDS.notSent;
      if (isWanted()) progress.value = Math.min(1, (from + PIECE_BYTES) / file.size);
    }
    return null;
  }

  /** @param {string} text @param {number | null} done - nothing where nobody knows how long it takes */
  function say(text, done) {
    tell(state, text);
    show(progress, true);
    if (done === null) progress.removeAttribute("value");
    else progress.value = done;
  }

  /** @param {string} text */
  function stop(text) {
    brought = null;
    input.value = "";
    tell(state, text);
    show(progress, false);
  }

  /** @param {Verdict} verdict */
  function fill(verdict) {
    stop(verdict.name);
    set(found, { "data-verdict": verdict.verdict, "data-culprit": verdict.culprit !== null });
    tell(word, WORDS.judged[verdict.verdict] ?? verdict.verdict);
    tell(culprit, verdict.culprit === null ? "" : WORDS.culprit(verdict.culprit));
    show(culprit, verdict.culprit !== null);
    keep(body, verdict.checks, (one) => one.check, row, (element, one) => {
      const told = [one.check, String(one.passed), String(one.failed), String(one.not_run)];
      told.forEach((text, index) => tell(/** @type {Element} */ (element.children[index]), text));
      set(element, { "data-failed": one.failed > 0 });
    });
    list(says, verdict.says);
    show(found, true);
  }

  // Whatever is dropped on the page is never opened by the browser in its place.
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) bring(file);
  });
  /** The connection is gone, and with it what was brought. */
  const lost = () => brought !== null && stop(WORDS.notSent);
  const opening = () => button(WORDS.judge, () => root.showModal(), { class: "small quiet" });
  return { root, fill, lost, opening };
}

/** A row of the table of checks. */
const row = () => make("tr", {}, make("th", { scope: "row" }), make("td"), make("td"), make("td"));

/** @param {Uint8Array} bytes */
function encoded(bytes) {
  let letters = "";
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    letters += String.fromCharCode(...bytes.subarray(from, from + CHUNK_BYTES));
  }
  return btoa(letters);
}
