// @ts-check
// A lobby: who is there, what is offered and what of it has changed, and the yes of each.

import { announce } from "./announce.js";
import { button, child, keep, list, make, mark, set, show, tell } from "./dom.js";
import { clockFields, choice, optionField, saysOf, seatsField } from "./fields.js";
import { linkOf } from "./joining.js";
import { squares } from "./squares.js";
import { fillSaid, saidElement, sayForm } from "./story.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Lobby} Lobby */
/** @typedef {import("./texts.js").Changeable} Changeable */
/** @typedef {(what: string, fields?: Record<string, unknown>) => Promise<boolean>} Step */

/** @param {Step} step */
export function lobbyView(step) {
  let offer = 0;
  const headline = make("h2", { class: "headline", tabindex: -1 });
  const warnings = make("ul", { class: "problem plain", role: "alert" });
  const seats = make("ul", { class: "tables", role: "list" });
  const terms = make("dl", { class: "terms" });
  const news = make("ul", { class: "plain hint" });
  const invite = inviteView(step);
  const changed = make("div", { class: "fields" });
  const changes = make("details", { class: "form options" }, make("summary", {}, WORDS.change), changed);
  const accept = button(WORDS.accept, () => step("accept", { offer }), { class: "primary" });
  const start = button(WORDS.start, () => step("start", { offer }), { class: "primary" });
  const takeBack = button(WORDS.takeBack, () => step("take-back"), { class: "quiet" });
  const end = button(WORDS.end, () => step("end"), { class: "quiet" });
  const talk = talkView(step);
  const words = make("p", { class: "compared" });
  const compared = make("section", { class: "part" }, make("h2", {}, WORDS.compared), words, make("p", { class: "hint" }, WORDS.comparedSays));
  const happened = make("section", { class: "part" }, make("h2", {}, WORDS.happened), news);
  const offered = make("section", { class: "part" }, make("h2", {}, WORDS.terms), terms, changes);
  const root = make(
    "div",
    { class: "home lobby" },
    headline,
    warnings,
    make("div", { class: "row" }, accept, start, takeBack, end),
    make("section", { class: "part" }, make("h2", {}, WORDS.seats), seats),
    compared,
    invite.root,
    talk.root,
    offered,
    happened,
  );
  let changeable = "";

  /** @param {Lobby} lobby */
  function update(lobby) {
    offer = lobby.offer;
    tell(headline, lobby.headline);
    list(warnings, lobby.warnings);
    show(warnings, lobby.warnings.length > 0);
    show(accept, lobby.may_accept);
    show(start, lobby.may_start);
    show(takeBack, lobby.may_take_back);
    tell(end, lobby.is_host ? WORDS.endHost : WORDS.end);
    invite.update(lobby);
    keep(seats, lobby.seats, (seat, index) => `${index} ${seat.name}`, (seat) => seatItem(seat, step), (element, seat) => fillSeat(element, seat, lobby));
    keep(terms, lobby.terms, (term) => term.name, termItem, fillTerm);
    talk.update(lobby);
    tell(words, lobby.compared);
    show(compared, lobby.compared !== "");
    list(news, lobby.news);
    show(happened, lobby.news.length > 0);
    show(offered, lobby.terms.length > 0);
    show(changes, lobby.changeable !== null);
    const now = JSON.stringify(lobby.changeable);
    if (now === changeable) return;
    changeable = now;
    if (lobby.changeable) refill(changed, changeFields(lobby.changeable, step));
  }
  return { root, update };
}

/** The invite: to be copied, as a link, and as a picture for another device. @param {Step} step */
function inviteView(step) {
  let text = "";
  let watching = "";
  const line = make("code", { class: "invite", tabindex: 0 });
  const picture = squares();
  const root = make(
    "section",
    { class: "part" },
    make("h2", {}, WORDS.invite),
    make("p", { class: "hint" }, WORDS.inviteSays),
    make(
      "div",
      { class: "invited" },
      picture.root,
      make(
        "div",
        { class: "invited-words" },
        line,
        make(
          "div",
          { class: "row" },
          copier(WORDS.copy, () => text, { class: "primary" }),
          copier(WORDS.copyLink, () => linkOf(text)),
          copier(WORDS.copyWatch, () => watching, { class: "quiet" }),
          button(WORDS.renew, () => step("renew-invites"), { class: "quiet" }),
        ),
        make("p", { class: "hint" }, WORDS.linkSays),
      ),
    ),
  );
  return {
    root,
    /** @param {Lobby} lobby */
    update(lobby) {
      [text, watching] = [lobby.invite, lobby.watch_invite];
      show(root, text !== "");
      tell(line, text);
      picture.update(lobby.squares);
    },
  };
}

/** So many letters has a line; the program says so as well. */
const SAID_LETTERS = 200;

/** What is said while people gather. @param {Step} step */
function talkView(step) {
  let lobbyMark = "";
  let heard = new Set();
  const lines = make("ol", { class: "lines plain", role: "list" });
  const nothing = make("p", { class: "hint" }, WORDS.nothingSaid);
  const scroll = make("div", { class: "scroll talked", tabindex: 0, role: "group", "aria-label": WORDS.saidHere }, nothing, lines);
  const { form } = sayForm((text) => step("say", { text }), WORDS.sayHere, SAID_LETTERS);
  const root = make("section", { class: "part" }, make("h2", {}, WORDS.saidHere), scroll, form);
  /** @param {import("./texts.js").SaidInLobby} line */
  const keyOf = (line) => `${line.mark}.${line.number}`;
  return {
    root,
    /** @param {Lobby} lobby */
    update({ chat, mark: at, offer }) {
      const isLow = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight < 40;
      keep(lines, chat, keyOf, saidElement, (element, line) => fillSaid(element, `${line.name} [${line.mark}]`, line.text, line.is_you));
      show(nothing, chat.length === 0);
      show(root, offer > 0);
      if (isLow) scroll.scrollTop = scroll.scrollHeight;
      const fresh = chat.filter((line) => !line.is_you && !heard.has(keyOf(line)));
      if (at === lobbyMark) announce(fresh.map((line) => `${line.name}: ${line.text}`));
      lobbyMark = at;
      heard = new Set(chat.map(keyOf));
    },
  };
}

const COPIED_MS = 2000;

/** A button that copies a text, and says so. @param {string} says @param {() => string} text @param {import("./dom.js").Attributes} [attributes] */
function copier(says, text, attributes = {}) {
  const made = button(says, async () => {
    await navigator.clipboard.writeText(text());
    tell(made, WORDS.copied);
    setTimeout(() => tell(made, says), COPIED_MS);
  }, attributes);
  return made;
}

/** @param {import("./texts.js").SeatOffered} seat @param {Step} step */
function seatItem(seat, step) {
  return make(
    "li",
    { class: "listed seat-offered" },
    make("strong"),
    make("span"),
    make("span", { class: "hint" }),
    make(
      "span",
      { class: "row" },
      button(WORDS.confirm, () => step("confirm", { name: seat.name }), { class: "quiet", "aria-label": `${WORDS.confirm}: ${seat.name}` }),
      button(WORDS.sendAway, () => step("send-away", { name: seat.name }), { class: "quiet", "aria-label": `${WORDS.sendAway}: ${seat.name}` }),
    ),
  );
}

/** @param {Element} element @param {import("./texts.js").SeatOffered} seat @param {Lobby} lobby */
function fillSeat(element, seat, lobby) {
  const isFree = seat.name === "";
  tell(child(element, 0), isFree ? WORDS.free : seat.name);
  tell(child(element, 1), [seat.is_you ? WORDS.you : seat.says, seat.is_program && WORDS.byProgram, seat.has_accepted && WORDS.accepted].filter(Boolean).join(", "));
  tell(child(element, 2), isFree ? "" : `${seat.is_you ? WORDS.wordsYours : WORDS.wordsTheirs} ${seat.words}`);
  mark(element, "is-suspect", seat.is_suspect);
  mark(element, "is-free", isFree);
  mark(element, "has-accepted", seat.has_accepted);
  show(child(element, 3), !seat.is_you && !isFree);
  show(child(element, 3, 1), lobby.is_host);
}

const termItem = () => make("div", { class: "term" }, make("dt"), make("dd"));

/** @param {Element} element @param {import("./texts.js").Term} term */
function fillTerm(element, term) {
  tell(child(element, 0), term.name);
  tell(child(element, 1), term.before === null ? term.value : `${term.value} (${WORDS.before}: ${term.before})`);
  mark(element, "is-changed", term.before !== null);
}

/** The fields with which a host changes what is offered, each at once. @param {Changeable} terms @param {Step} step */
function changeFields({ game, seats: count, clock, policy, clocks, policies: known }, step) {
  /** @param {HTMLInputElement | HTMLSelectElement} input @param {string} what @param {() => string} value */
  const change = (input, what, value) => input.addEventListener("change", () => input.checkValidity() && step("change", { what, value: value() }));
  const seats = seatsField(game, count);
  change(seats, "seats", () => seats.value);
  const times = clockFields(clocks, clock, "clock-now");
  for (const input of times.inputs) change(input, "clock", () => input.value);
  const policies = choice("policy", game.policies.map((one) => [one, saysOf(known, one)]), policy);
  change(policies, "policy", () => policies.value);
  const options = game.options.map((option) => {
    const field = optionField(option);
    change(field.input, "option", () => `${field.name}=${typed(field.value())}`);
    return field.root;
  });
  const whenOneLeaves = make("label", {}, WORDS.policy, policies);
  show(whenOneLeaves, game.policies.length > 1);
  set(seats, { "aria-label": WORDS.seatsWanted });
  return [make("p", { class: "hint" }, WORDS.changeSays), make("label", {}, WORDS.seatsWanted, seats), ...options, times.root, whenOneLeaves];
}

/** Give a form new fields, and the focus to the one that had it. @param {Element} form @param {Element[]} fields */
function refill(form, fields) {
  const before = document.activeElement;
  const [name, value] = form.contains(before) ? ["name", "value"].map((what) => before?.getAttribute(what)) : [];
  form.replaceChildren(...fields);
  if (!name) return;
  const same = /** @type {HTMLElement[]} */ ([...form.querySelectorAll(`[name="${CSS.escape(name)}"]`)]);
  (same.find((one) => one.getAttribute("value") === value) ?? same[0])?.focus();
}

/** A value as it is typed. @param {string | number | boolean} value */
const typed = (value) => (typeof value === "boolean" ? (value ? "yes" : "no") : String(value));
