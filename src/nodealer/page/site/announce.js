// @ts-check
// What is said aloud: one live region with the sentences of the program; the title of the tab and a
// sound when it is my turn.

import { make, tell } from "./dom.js";
import { settings } from "./settings.js";
import { chime } from "./sound.js";
import { WORDS } from "./words.js";

/** So many sentences are said at once; who wants them all reads the story. */
const SAID_MAX = 6;

const region = make("div", { class: "unseen", id: "said", role: "status", "aria-live": "polite" });
let asked = false;
let headline = "";
let noticed = "";

/** The region stands in the document from the beginning, else nobody listens to it. */
export const liveRegion = () => region;

/** @param {readonly string[]} sentences */
export function announce(sentences) {
  if (sentences.length === 0) return;
  region.append(...sentences.slice(-SAID_MAX).map((one) => make("p", {}, one)));
  while (region.childElementCount > SAID_MAX) region.firstElementChild?.remove();
}

/** A headline without what only counts down. @param {string} text */
const lasting = (text) => text.replace(/\d+/g, "");

/** Tell of the table: title, sound, and the headline where it says something new. @param {import("./texts.js").Table} table */
export function announceTable(table) {
  const sign = table.is_asked ? `● ${WORDS.yourTurn} – ` : table.state === "over" ? `${WORDS.over} – ` : "";
  tell(/** @type {Element} */ (document.querySelector("title")), `${sign}${table.game} – ${WORDS.program}`);
  setIcon(table.is_asked);
  if (table.is_asked && !asked && settings.sound) chime();
  const notices = table.notices.flatMap((one) => one.says);
  if (notices.join() !== noticed) announce(notices);
  noticed = notices.join();
  const isNews = lasting(table.headline) !== headline;
  const isQuiet = table.progress !== null && table.progress.why === "";
  if (isNews && !isQuiet && (table.is_asked || !asked || table.state !== "playing")) announce([table.headline]);
  if (!isQuiet) headline = lasting(table.headline);
  asked = table.is_asked;
}

/** Tell of what is no table: its name, and its headline where that is new. @param {string} what @param {string} [says] */
export function announceElsewhere(what, says = "") {
  asked = false;
  if (says && says !== headline) announce([says]);
  headline = says;
  tell(/** @type {Element} */ (document.querySelector("title")), `${what} – ${WORDS.program}`);
  setIcon(false);
}

/** @param {boolean} isAsked */
function setIcon(isAsked) {
  const link = document.querySelector("link[rel=icon]");
  const wanted = isAsked ? "/icon-turn.svg" : "/icon.svg";
  if (link && link.getAttribute("href") !== wanted) link.setAttribute("href", wanted);
}
