// @ts-check
// The record of a table: entry by entry, who signed it, what it tells and what was proven; by steps,
// by itself, or from the chair of one seat.

import { button, keep, list, make, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** So long each entry stands while the record goes on by itself. */
const STEP_MS = 1200;

/** @param {import("./texts.js").Wish} wish */
export function recordingView(wish) {
  let [height, last] = [0, 0];
  let isRunning = false;
  let timer = 0;
  /** The seat from whose chair it is seen. @type {number | null} */
  let seat = null;

  /** The entry that was wished last, until it is there: steps go on from it. @type {number | null} */
  let wanted = null;
  const here = () => wanted ?? height;

  /** @param {number} to */
  async function go(to) {
    wanted = Math.max(0, Math.min(last, to));
    const answer = await wish("step", { to: wanted, seat });
    if (answer.refused) wanted = null;
    return answer;
  }
  /** Go somewhere by hand. @param {number} to */
  const jump = (to) => {
    run(false);
    return go(to);
  };

  /** @param {boolean} is */
  function run(is) {
    clearTimeout(timer);
    isRunning = is;
    tell(playing, is ? WORDS.pause : WORDS.run);
    if (is) timer = setTimeout(onward, here() === last ? 0 : STEP_MS);
  }

  /** The next entry, if there is one; from the end it begins anew. */
  async function onward() {
    const answer = await go(here() === last ? 0 : here() + 1);
    if (!isRunning) return;
    clearTimeout(timer);
    if (answer.refused) run(false);
    else timer = setTimeout(() => (here() === last ? run(false) : onward()), STEP_MS);
  }

  const says = make("ul", { class: "recording-says", role: "list" });
  const signed = make("p", { class: "recording-signed" });
  const proven = make("ul", { class: "recording-proven", role: "list", "aria-label": WORDS.proven });
  const hands = make("ul", { class: "recording-hands", role: "list", "aria-label": WORDS.hands });
  const verdict = make("p", { class: "recording-verdict" });
  const told = make(
    "div",
    { class: "recording-told", tabindex: 0, role: "group", "aria-label": WORDS.entry },
    make("div", {}, says, hands, verdict),
    make("div", { class: "recording-grounds" }, signed, proven),
  );
  const where = make("span", { class: "recording-where" });
  const slider = make("input", { type: "range", min: 0, class: "recording-slider", "aria-label": WORDS.replay });
  slider.addEventListener("input", () => jump(Number(slider.value)));
  const playing = button(WORDS.run, () => run(!isRunning), { class: "recording-run" });
  const chair = make("select", { class: "recording-chair" });
  chair.addEventListener("change", () => {
    seat = chair.value === "" ? null : Number(chair.value);
    go(here());
  });
  const root = make(
    "section",
    { class: "recording", "aria-label": WORDS.replay, hidden: true },
    told,
    make("div", { class: "row" }, where, slider),
    make(
      "div",
      { class: "row recording-steps" },
      button(WORDS.first, () => jump(0)),
      button(WORDS.previous, () => jump(here() - 1)),
      playing,
      button(WORDS.next, () => jump(here() + 1)),
      button(WORDS.last, () => jump(last)),
      make("label", { class: "recording-eyes" }, WORDS.chair, chair),
    ),
  );

  /** @param {import("./texts.js").Table} table */
  function update(table) {
    const { recording } = table;
    show(root, recording !== undefined);
    if (!recording) {
      wanted = null;
      if (isRunning) run(false);
      return;
    }
    [height, last] = [table.height, recording.last];
    if (wanted === height && seat === recording.seat) wanted = null;
    if (wanted === null) seat = recording.seat;
    list(says, recording.says);
    list(proven, recording.proven);
    list(hands, recording.hands);
    for (const one of [proven, hands]) show(one, one.childElementCount > 0);
    tell(signed, recording.signed.length ? `${WORDS.signed} ${recording.signed.join(", ")}.` : "");
    tell(verdict, height === last ? WORDS.judged[recording.verdict] ?? recording.verdict : "");
    set(verdict, { "data-verdict": recording.verdict });
    show(verdict, height === last);
    tell(where, WORDS.entryOf(height, last));
    set(slider, { max: last, "aria-valuetext": WORDS.entryOf(height, last) });
    if (document.activeElement !== slider || isRunning) slider.value = String(height);
    const chairs = [{ value: "", name: WORDS.everybody }, ...table.seats.map((one) => ({ value: String(one.seat), name: one.name }))];
    keep(chair, chairs, (one) => one.value, (one) => make("option", { value: one.value }), (element, one) => tell(element, one.name));
    const value = seat === null ? "" : String(seat);
    if (chair.value !== value) chair.value = value;
  }
  return { root, update };
}
