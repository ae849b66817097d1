// @ts-check
// What has happened while the player was away: the browser remembers the last line that was seen.

import { isAfter } from "./memory.js";
import { recall, remember } from "./settings.js";

const PLACE = "nodealer-seen";
const TOLD_MAX = 8;

/** Somebody who was away for less has missed nothing. */
const AWAY_MS = 60_000;

/** @typedef {import("./memory.js").Memory} Memory */

/** What was seen when the page was opened, or was last looked at. */
let before = recall(PLACE);
let written = 0;

/** Remember the newest line as seen, if anybody looks. @param {Memory} memory */
export function seenUpTo({ shown, lines }) {
  const line = lines.at(-1);
  const now = Date.now();
  if (shown?.is !== "table" || !line || document.hidden || now - written < 1000) return;
  written = now;
  remember(PLACE, { mark: shown.mark, at: line.at, when: now });
}

document.addEventListener("visibilitychange", () => {
  before = document.hidden ? recall(PLACE) : before;
});

/**
 * Lines that came while nobody looked; null if the player was here, or has been told.
 * @param {Memory} memory
 * @param {readonly import("./texts.js").LogLine[]} lines - those that have just come
 */
export function away({ shown }, lines) {
  if (shown?.is !== "table" || document.hidden || before?.mark !== shown.mark) return null;
  const { at, when } = before;
  const missed = lines.filter((line) => line.tone !== "protocol" && isAfter(line, at));
  if (missed.length === 0 || Date.now() - when < AWAY_MS) return null;
  before = null;
  return { since: at, says: missed.slice(-TOLD_MAX).map((line) => line.text) };
}
