// @ts-check
// A lobby: who is there, what is offered and what of it has changed, and the yes of each.

import { button, child, keep, make, mark, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Lobby} Lobby */

/** @param {(what: string, fields?: Record<string, unknown>) => void} step */
export function lobbyView(step) {
  let offer = 0;
  const headline = make("h2", { class: "headline", tabindex: -1 });
  const seats = make("ul", { class: "tables", role: "list" });
  const terms = make("dl", { class: "terms" });
  const invite = make("code", { class: "invite" });
  const copy = button(WORDS.copy, async () => {
    await navigator.clipboard.writeText(invite.textContent ?? "");
    tell(copy, WORDS.copied);
  });
  const invited = make("section", { class: "part" }, make("h2", {}, WORDS.invite), invite, copy);
  const accept = button(WORDS.accept, () => step("accept", { offer }), { class: "primary" });
  const takeBack = button(WORDS.takeBack, () => step("take-back"), { class: "quiet" });
  const start = button(WORDS.start, () => step("start", { offer }), { class: "primary" });
  const end = button(WORDS.end, () => step("end"), { class: "quiet" });
  const root = make(
    "div",
    { class: "home lobby" },
    headline,
    make("div", { class: "row" }, accept, takeBack, start, end),
    make("section", { class: "part" }, make("h2", {}, WORDS.seats), seats),
    invited,
    make("section", { class: "part" }, make("h2", {}, WORDS.terms), terms),
  );

  /** @param {Lobby} lobby */
  function update(lobby) {
    offer = lobby.offer;
    tell(headline, lobby.headline);
    show(accept, lobby.may_accept);
    show(start, lobby.may_start);
    show(takeBack, !lobby.is_host && lobby.seats.some((seat) => seat.is_you && seat.has_accepted));
    show(invited, lobby.invite !== "");
    tell(invite, lobby.invite);
    keep(seats, lobby.seats, (seat, index) => `${index} ${seat.name}`, (seat) => seatItem(seat, step), (element, seat) => {
      const says = [seat.is_you && WORDS.you, seat.has_accepted && WORDS.accepted, seat.words, seat.says].filter(Boolean);
      tell(child(element, 0), seat.name);
      tell(child(element, 1), says.join(", "));
      mark(element, "is-suspect", seat.is_suspect);
      show(child(element, 2), !seat.is_you && seat.name !== "");
      show(child(element, 2, 1), lobby.is_host);
    });
    keep(terms, lobby.terms, (term) => term.name, () => make("div", { class: "term" }, make("dt"), make("dd")), (element, term) => {
      tell(child(element, 0), term.name);
      tell(child(element, 1), term.before === null ? term.value : `${term.value} (${WORDS.before}: ${term.before})`);
      mark(element, "is-changed", term.before !== null);
    });
  }
  return { root, update };
}

/** @param {import("./texts.js").SeatOffered} seat @param {(what: string, fields?: Record<string, unknown>) => void} step */
function seatItem(seat, step) {
  return make(
    "li",
    { class: "listed" },
    make("strong"),
    make("span"),
    make(
      "span",
      { class: "row" },
      button(WORDS.confirm, () => step("confirm", { name: seat.name }), { class: "quiet" }),
      button(WORDS.sendAway, () => step("send-away", { name: seat.name }), { class: "quiet" }),
    ),
  );
}
