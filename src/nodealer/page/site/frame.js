// @ts-check
// What is around whatever is shown: the bar above, the story beside, windows over it, and how it
// stands with the connection to the own node.

import { announce } from "./announce.js";
import { away, seenUpTo } from "./away.js";
import { joinDialog, keysDialog, leaveDialog, linksDialog, rulesDialog, settingsDialog } from "./dialogs.js";
import { button, icon, make, set, show, tell } from "./dom.js";
import { judgingDialog } from "./judging.js";
import { chatView, storyView } from "./story.js";
import { WORDS } from "./words.js";

/** @typedef {import("./memory.js").Memory} Memory */

const TOAST_MS = 7000;

/**
 * @param {object} hooks
 * @param {import("./texts.js").Wish} hooks.wish
 * @param {(what: string, fields?: Record<string, unknown>) => Promise<boolean>} hooks.ask
 * @param {() => void} hooks.goHome
 * @param {Record<"table" | "home" | "lobby", HTMLElement>} hooks.views
 * @param {() => void} hooks.redraw
 */
export function frame({ wish, ask, goHome, views, redraw }) {
  const rules = rulesDialog();
  const links = linksDialog();
  const keys = keysDialog();
  const settings = settingsDialog(redraw, () => keys.root.showModal());
  const leave = leaveDialog(() => ask("leave", { sure: true }));
  const judging = judgingDialog(wish);
  const join = joinDialog(ask);
  const dialogs = [rules, links, keys, settings, leave, judging, join];
  const story = storyView();
  const chat = chatView((text) => ask("say", { text }));

  const title = make("h1", { class: "title" }, WORDS.program);
  const subtitle = make("span", { class: "subtitle" });
  const open = {
    home: barButton("home", WORDS.home, goHome),
    rules: barButton("rules", WORDS.rules, () => ask("rules")),
    story: barButton("story", WORDS.story, () => showSide(!isSideSeen())),
    keys: barButton("keys", WORDS.keys, () => keys.root.showModal()),
    settings: barButton("settings", WORDS.settings, () => settings.root.showModal()),
  };
  open.keys.classList.add("for-wide");
  const putAwayButton = button(WORDS.putAway, () => ask("put-away"), { class: "small quiet" });
  const leaveButton = button(WORDS.leave, () => leave.root.showModal(), { class: "small quiet" });
  const skips = [
    make("a", { class: "skip", href: "#own" }, WORDS.toTable),
    make("a", { class: "skip", href: "#choice" }, WORDS.toChoice),
  ];
  const bar = make(
    "header",
    { class: "bar" },
    ...skips,
    make("div", { class: "titles" }, title, subtitle),
    make("nav", { class: "tools", "aria-label": WORDS.program }, ...Object.values(open)),
  );
  const connection = make("p", { class: "connection", role: "status" }, WORDS.connecting);
  const broken = make("p", { class: "problem", role: "alert", hidden: true }, WORDS.broken, " ", button(WORDS.reload, () => location.reload()));
  const back = make("div", { class: "away", hidden: true });
  const atHome = make("div", { class: "row at-home", hidden: true }, judging.opening());
  const main = make("main", { class: "main", tabindex: -1 }, connection, broken, back, ...Object.values(views), atHome);
  const side = make(
    "aside",
    { class: "side", id: "story", "aria-label": WORDS.story },
    make("div", { class: "side-head" }, make("h2", {}, WORDS.log), button(WORDS.close, () => showSide(false), { class: "small side-close" })),
    story.root,
    make("h2", { class: "chat-title" }, WORDS.chat),
    chat.root,
    make("div", { class: "row" }, button(WORDS.links, () => ask("links"), { class: "small quiet" }), judging.opening(), putAwayButton, leaveButton),
  );
  const toasts = make("div", { class: "toasts", "aria-hidden": "true" });
  const sky = make("div", { class: "sky", "aria-hidden": "true" });
  const root = make("div", { class: "page", "data-shown": "nothing" }, bar, main, side, toasts, sky, ...dialogs.map((one) => one.root));
  for (const view of Object.values(views)) show(view, false);

  const isSideSeen = () => side.getClientRects().length > 0;

  /** Until somebody says so, the story is there where there is room for it. @param {boolean} is */
  function showSide(is) {
    set(root, { "data-side": is ? "open" : "shut" });
    if (is) story.low();
  }

  /** Say something in passing. @param {string} text */
  function toast(text) {
    const one = make("p", { class: "toast" }, text);
    toasts.append(one);
    announce([text]);
    setTimeout(() => one.remove(), TOAST_MS);
  }

  /** Say that this page is at fault; what is shown stays. */
  function fail() {
    show(broken, true);
  }

  let wasLost = false;
  /** @param {"connecting" | "open" | "lost" | "stranger" | "other" | "ended"} state */
  function stand(state) {
    set(root, { "data-connection": state });
    tell(connection, state === "open" ? "" : WORDS[state]);
    show(connection, state !== "open");
    if (state === "lost") judging.lost();
    if (state === "open" && wasLost) toast(WORDS.found);
    wasLost = state === "lost";
  }

  /** @param {Memory} memory */
  function update(memory) {
    const { shown } = memory;
    if (!shown) return;
    const at = shown.is;
    join.called(shown);
    set(root, { "data-shown": at, "data-recording": at === "table" && shown.recording !== undefined });
    for (const [name, view] of Object.entries(views)) show(view, name === at);
    tell(title, at === "home" ? WORDS.program : shown.game);
    tell(subtitle, at === "table" ? subtitleOf(shown) : "");
    show(atHome, at === "home");
    for (const one of [side, open.story]) show(one, at === "table");
    for (const one of [open.rules, open.home]) show(one, at !== "home");
    if (at !== "table") return;
    show(putAwayButton, shown.may_put_away);
    show(leaveButton, shown.recording === undefined && ["playing", "suspended", "suspect"].includes(shown.state));
    story.update(memory);
    chat.update(memory);
    seenUpTo(memory);
  }

  /** Tell somebody who was away what has happened. @param {Memory} memory @param {{lines: import("./texts.js").LogLine[]}} text */
  function told(memory, text) {
    const missed = away(memory, text.lines);
    if (missed === null) return;
    story.since(missed.since);
    back.replaceChildren(
      make("h2", {}, WORDS.away),
      make("ul", {}, ...missed.says.map((line) => make("li", {}, line))),
      button(WORDS.dismiss, () => show(back, false), { class: "small" }),
    );
    show(back, true);
  }

  const letters = {
    h: () => reach(".own button[data-card][tabindex='0']", ".own"),
    m: () => reach(".common button[data-card][tabindex='0']", ".middle"),
    p: () => reach(".seat-head"),
    c: () => {
      showSide(true);
      chat.input.focus();
    },
    l: () => {
      showSide(true);
      story.root.focus();
    },
    r: () => open.rules.click(),
    s: () => open.settings.click(),
    "?": () => open.keys.click(),
  };

  /** @param {any} text */
  function fill(text) {
    const one = { rules, links, verdict: judging }[/** @type {"rules" | "links" | "verdict"} */ (text.is)];
    if (text.is === "rules") rules.fill(text.text);
    else if (text.is === "links") links.fill(text.lines);
    else judging.fill(text);
    if (!one.root.open) one.root.showModal();
  }

  return { root, sky, stand, fail, toast, update, told, fill, letters, join: join.open };
}

/** Give the focus to the first of these that is seen. @param {...string} selectors */
function reach(...selectors) {
  const all = selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
  const found = all.find((one) => one.getClientRects().length > 0);
  if (found instanceof HTMLElement) found.focus();
}

/** @param {import("./texts.js").Table} table */
const subtitleOf = (table) =>
  [...new Set([table.title, table.mark, table.games > 1 ? WORDS.game(table.games) : ""])].filter(Boolean).join(" · ");

/** @param {string} name @param {string} text @param {() => void} action */
function barButton(name, text, action) {
  const made = make("button", { type: "button", class: "icon-button", title: text }, icon(name), make("span", { class: "icon-text" }, text));
  made.addEventListener("click", action);
  return made;
}
