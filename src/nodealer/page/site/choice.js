// @ts-check
// The choice: what is asked, what would be played, and the one button that plays it. What is decided
// so far lies with the program; here is only what it says of it.

import { button, child, keep, make, mark, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Table} Table */
/** @typedef {(what: string, fields?: Record<string, unknown>) => void} Step */

/** @param {Step} step */
export function choiceView(step) {
  const asks = make("p", { class: "choice-asks", id: "choice-asks" });
  const options = make("div", { class: "choice-options", role: "group", "aria-labelledby": "choice-asks" });
  /** @type {Table | null} */
  let table = null;
  const play = button("", () => {
    const action = table?.choice.play?.action;
    if (action !== undefined) step("play", { action });
  }, { class: "primary play", hidden: true });
  const back = button(WORDS.back, () => step("back"), { class: "quiet", hidden: true });
  const clear = button(WORDS.clear, () => step("clear"), { class: "quiet", hidden: true });
  const steps = make("div", { class: "choice-steps" }, play, back, clear);
  const root = make("section", { class: "choice", id: "choice", "aria-label": WORDS.choice, tabindex: -1 }, asks, options, steps);

  /** @param {Table} now */
  function update(now) {
    table = now;
    const { choice } = now;
    const begun = choice.kind !== null || choice.picked.length > 0;
    const hasCards = now.zones.some((zone) => zone.cards.some((card) => card.can || card.picked));
    const [only, ...others] = choice.kinds;
    const alone = only && others.length === 0 && hasCards ? only.says : "";
    tell(asks, choice.asked?.says ?? alone);
    show(asks, asks.textContent !== "");
    const offered = now.is_asked && choice.play === null ? offers(now, alone !== "") : [];
    keep(options, offered, (one) => one.key, () => option(), (element, one) => {
      tell(child(element, 0), one.says);
      set(element, { "aria-pressed": one.pressed === null ? null : String(one.pressed) });
      element.onclick = () => step(one.what, one.fields);
    });
    show(options, offered.length > 0);
    show(play, choice.play !== null);
    tell(play, asSentence(choice.play?.says ?? ""));
    for (const one of [back, clear]) show(one, begun);
    mark(root, "is-idle", !now.is_asked);
    mark(root, "is-ready", choice.play !== null);
  }
  /** Play what is chosen; false if nothing is. */
  function playNow() {
    if (play.hidden) return false;
    play.click();
    return true;
  }
  return { root, update, playNow };
}

/** What a button does, as it is written on it. @param {string} says */
const asSentence = (says) => says.charAt(0).toUpperCase() + says.slice(1);

function option() {
  return make(
    "button",
    { type: "button", class: "option" },
    make("span", { class: "option-says" }),
  );
}

/**
 * What can be chosen besides cards: the options of what is asked, or the kinds of action.
 * @param {Table} table
 * @param {boolean} isAlone - the one kind goes with the cards, and needs no button
 * @returns {{key: string, says: string, what: string, fields: Record<string, unknown>, pressed: boolean | null}[]}
 */
function offers({ choice }, isAlone) {
  if (choice.asked) {
    const { about, options } = choice.asked;
    return options.map((says, index) => ({
      key: `${about} ${index} ${says}`, says, what: "answer", fields: { option: index }, pressed: null,
    }));
  }
  if (isAlone) return [];
  return choice.kinds.map(({ kind, says }) => ({
    key: kind, says, what: "choose", fields: { kind }, pressed: kind === choice.kind,
  }));
}
