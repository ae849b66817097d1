// @ts-check
// The record of a table: entry by entry, who signed it and what it tells.

import { button, list, make, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @param {import("./texts.js").Wish} wish */
export function recordingView(wish) {
  let [height, last] = [0, 0];
  /** @param {number} to */
  const go = (to) => wish("step", { to: Math.max(0, Math.min(last, to)) });
  const says = make("ul", { class: "recording-says", role: "list" });
  const signed = make("p", { class: "recording-signed" });
  const slider = make("input", { type: "range", min: 0, class: "recording-slider", "aria-label": WORDS.replay });
  slider.addEventListener("input", () => go(Number(slider.value)));
  const root = make(
    "section",
    { class: "recording", "aria-label": WORDS.replay, hidden: true },
    says,
    signed,
    make(
      "div",
      { class: "row" },
      button(WORDS.first, () => go(0)),
      button(WORDS.previous, () => go(height - 1)),
      slider,
      button(WORDS.next, () => go(height + 1)),
      button(WORDS.last, () => go(last)),
    ),
  );
  /** @param {import("./texts.js").Table} table */
  function update(table) {
    const { recording } = table;
    show(root, recording !== undefined);
    if (!recording) return;
    [height, last] = [table.height, recording.last];
    list(says, recording.says);
    tell(signed, recording.signed.length ? `${WORDS.signed} ${recording.signed.join(", ")}` : "");
    set(slider, { max: last });
    if (document.activeElement !== slider) slider.value = String(height);
  }
  return { root, update };
}
