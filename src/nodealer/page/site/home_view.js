// @ts-check
// The home: games to play against bots, the player's own tables, and people.

import { button, child, keep, list, make, set, show, tell } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Home} Home */
/** @typedef {import("./texts.js").Game} Game */
/** @typedef {(what: string, fields?: Record<string, unknown>) => void} Step */

/** @param {Step} step */
export function homeView(step) {
  const problem = make("p", { class: "problem", role: "alert" });
  const games = make("div", { class: "games" });
  const tables = make("ul", { class: "tables", role: "list" });
  const people = make("ul", { class: "people", role: "list" });
  const join = joinForm(step);
  const ownTables = part(WORDS.tables, tables);
  const known = part(WORDS.people, people);
  const root = make(
    "div", { class: "home" }, problem, ownTables, part(WORDS.practise, games), part(WORDS.join, join.root), known,
  );

  /** @param {Home} home */
  function update(home) {
    tell(problem, home.problem);
    show(problem, home.problem !== "");
    join.called(home.name);
    keep(games, home.games, (game) => game.id, (game) => gameForm(game, () => join.name(), step), () => {});
    keep(tables, home.tables, (one) => one.mark, (one) => tableItem(one, step), (element, one) => {
      tell(child(element, 0), one.game);
      tell(child(element, 1), one.players);
      tell(child(element, 2), one.stands);
      show(child(element, 3, 1), !one.is_lobby);
    });
    list(people, home.people.map((one) => [one.name, one.words, one.says].filter(Boolean).join(" – ")));
    show(ownTables, home.tables.length > 0);
    show(known, home.people.length > 0);
  }
  return { root, update };
}

/** @param {string} title @param {Node} body */
const part = (title, body) => make("section", { class: "part" }, make("h2", {}, title), body);

/** @param {import("./texts.js").TableListed} one @param {Step} step */
function tableItem(one, step) {
  return make(
    "li",
    { class: "listed" },
    make("strong"),
    make("span", { class: "listed-players" }),
    make("span", { class: "hint" }),
    make(
      "span",
      { class: "row" },
      button(WORDS.open, () => step("open", { mark: one.mark })),
      button(WORDS.replay, () => step("replay", { mark: one.mark }), { class: "quiet" }),
    ),
  );
}

/** @param {Step} step */
function joinForm(step) {
  const name = make("input", { name: "name", maxlength: 40, required: true, autocomplete: "nickname" });
  const invite = make("input", { name: "invite", required: true, autocomplete: "off", maxlength: 8192 });
  const root = make(
    "form",
    { class: "form" },
    make("label", {}, WORDS.name, name),
    make("label", {}, WORDS.invite, invite),
    make("button", {}, WORDS.join),
  );
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    step("join", { invite: invite.value.trim(), name: name.value.trim() });
  });
  return {
    root,
    name: () => name.value.trim(),
    /** @param {string} known */
    called(known) {
      if (name.value === "") name.value = known;
    },
  };
}

/** A game: seats, options, and the two ways to play it. @param {Game} game @param {() => string} name @param {Step} step */
function gameForm(game, name, step) {
  const [least, most] = game.seats;
  const seats = make("input", { type: "number", name: "seats", min: least, max: most, value: Math.min(most, Math.max(least, 3)), required: true });
  const fields = game.options.map((option) => optionField(option));
  const options = make(
    "details",
    { class: "options" },
    make("summary", {}, WORDS.options),
    ...fields.map((field) => field.root),
  );
  const root = make(
    "form",
    { class: "form game" },
    make("h3", {}, game.title),
    make("label", {}, WORDS.bots, seats),
    options,
    make(
      "div",
      { class: "row" },
      make("button", { class: "primary" }, WORDS.begin),
      button(WORDS.host, () => step("host", { game: game.id, seats: Number(seats.value), options: chosen(), clock: "calm", name: name() })),
    ),
  );
  show(options, fields.length > 0);
  const chosen = () => Object.fromEntries(fields.flatMap((field) => field.chosen()));
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    step("practise", { game: game.id, seats: Number(seats.value), options: chosen() });
  });
  return root;
}

/** @param {import("./texts.js").GameOption} option */
function optionField(option) {
  const { default: usual } = option;
  const input = make("input", { name: option.name, autocomplete: "off" });
  if (typeof usual === "boolean") set(input, { type: "checkbox", checked: usual });
  else if (typeof usual === "number") set(input, { type: "number", min: option.least, max: option.most, value: usual });
  else set(input, { type: "text", value: usual, maxlength: 200 });
  const value = () => (typeof usual === "boolean" ? input.checked : typeof usual === "number" ? Number(input.value) : input.value);
  return {
    root: make("label", {}, option.says, input),
    /** @returns {[string, unknown][]} what is other than usual */
    chosen: () => (value() === usual || input.value === "" ? [] : [[option.name, value()]]),
  };
}
