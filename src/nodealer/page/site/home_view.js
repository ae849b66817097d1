// @ts-check
// The home: the player's own tables, games to play against bots or with friends, and people.

import { button, child, keep, make, set, show, tell } from "./dom.js";
import { clockFields, choice, optionFields, saysOf, seatsField } from "./fields.js";
import { joinForm } from "./joining.js";
import { WORDS } from "./words.js";

/** @typedef {import("./texts.js").Home} Home */
/** @typedef {import("./texts.js").Game} Game */
/** @typedef {(what: string, fields?: Record<string, unknown>) => Promise<boolean>} Step */

/** A table of so many seats is what most games are for. */
const SEATS_USUAL = 3;

/**
 * @param {Step} step
 * @param {(invite: string, problem: string) => void} again - asks for another name for an invite
 */
export function homeView(step, again) {
  const problem = make("p", { class: "problem", role: "alert" });
  const games = make("div", { class: "games" });
  const tables = make("ul", { class: "tables", role: "list" });
  const people = make("ul", { class: "people", role: "list" });
  const join = joinForm(step);
  const ownTables = part(WORDS.tables, tables);
  const look = button(WORDS.lookForFriends, () => step("look"), { class: "quiet" });
  const known = part(WORDS.people, make("div", { class: "known" }, people, make("div", { class: "row" }, look), make("p", { class: "hint" }, WORDS.lookSays)));
  const root = make(
    "div", { class: "home" }, problem, ownTables, part(WORDS.playGames, games), part(WORDS.joinFriends, join.root), known,
  );
  /** @type {Home | null} */
  let home = null;
  let invite = "";

  /** @param {Home} shown */
  function update(shown) {
    home = shown;
    tell(problem, shown.problem);
    show(problem, shown.problem !== "");
    join.called(shown.name);
    if (shown.invite !== invite) {
      invite = shown.invite;
      if (invite) again(invite, shown.problem);
    }
    keep(games, shown.games, (game) => game.id, (game) => gameForm(game, step, () => hostDialog(game, root, /** @type {Home} */ (home), step)), () => {});
    keep(tables, shown.tables, (one) => one.mark, (one) => tableItem(one, step), fillTable);
    keep(people, shown.people, (one) => one.words, personItem, fillPerson);
    show(ownTables, shown.tables.length > 0);
    show(known, shown.people.length > 0);
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

/** @param {Element} element @param {import("./texts.js").TableListed} one */
function fillTable(element, one) {
  tell(child(element, 0), one.game);
  tell(child(element, 1), one.players);
  tell(child(element, 2), [one.stands, one.when].filter(Boolean).join(" · "));
  const [open, replay] = [child(element, 3, 0), child(element, 3, 1)];
  tell(open, one.is_over ? WORDS.openOver : WORDS.open);
  set(open, { class: one.is_over ? "quiet" : "", "aria-label": `${open.textContent}: ${one.game}, ${one.players}` });
  set(replay, { "aria-label": `${WORDS.replay}: ${one.game}, ${one.players}` });
  show(replay, !one.is_lobby);
}

const personItem = () => make("li", { class: "listed" }, make("strong"), make("span"), make("span", { class: "hint" }));

/** @param {Element} element @param {import("./texts.js").Person} one */
function fillPerson(element, one) {
  tell(child(element, 0), one.name);
  tell(child(element, 1), one.says);
  tell(child(element, 2), one.words);
}

/** A game: how many players, its options, and the two ways to play it. @param {Game} game @param {Step} step @param {() => void} invite */
function gameForm(game, step, invite) {
  const seats = seatsField(game, SEATS_USUAL);
  const options = optionFields(game);
  const root = make(
    "form",
    { class: "form game" },
    make("h3", {}, game.title),
    make("p", { class: "hint game-says" }, game.says),
    make("label", {}, WORDS.seatsPlay, seats),
    options.root,
    make("div", { class: "row" }, make("button", { class: "primary" }, WORDS.begin), button(WORDS.hostShort, invite, { "aria-label": `${WORDS.hostShort}: ${game.title}` })),
  );
  root.addEventListener("submit", (event) => {
    event.preventDefault();
    step("practise", { game: game.id, seats: Number(seats.value), options: options.chosen() });
  });
  return root;
}

/** A window in which a lobby is opened. @param {Game} game @param {HTMLElement} parent @param {Home} home @param {Step} step */
function hostDialog(game, parent, home, step) {
  const name = make("input", { name: "name", maxlength: 40, required: true, autocomplete: "nickname", value: home.name });
  const seats = seatsField(game, 2);
  const options = optionFields(game);
  const clock = clockFields(home.clocks, "calm", "clock");
  const policy = choice("policy", game.policies.map((one) => [one, saysOf(home.policies, one)]), game.policies[0] ?? "");
  const whenOneLeaves = make("label", {}, WORDS.policy, policy);
  show(whenOneLeaves, game.policies.length > 1);
  const friends = home.people.map((one) => make("input", { type: "checkbox", name: "friend", value: one.name }));
  const named = make("fieldset", { class: "clocks" }, make("legend", {}, WORDS.withFriends), ...friends.map((one) => make("label", { class: "tick" }, one, one.value)));
  show(named, friends.length > 0);
  const cancel = button(WORDS.cancel, () => root.close(), { class: "quiet" });
  const form = make(
    "form",
    { class: "dialog-body" },
    make("label", {}, WORDS.name, name),
    make("label", {}, WORDS.seatsWanted, seats),
    options.root,
    clock.root,
    whenOneLeaves,
    named,
    make("div", { class: "row" }, make("button", { class: "primary" }, WORDS.openLobby), cancel),
  );
  const title = `${WORDS.host} ${game.title}`;
  const root = make("dialog", { class: "dialog", "aria-label": title }, make("div", { class: "dialog-head" }, make("h2", {}, title)), form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = { game: game.id, seats: Number(seats.value), options: options.chosen(), clock: clock.value(), policy: policy.value, name: name.value.trim(), friends: friends.filter((one) => one.checked).map((one) => one.value) };
    if (await step("host", fields)) root.close();
  });
  root.addEventListener("close", () => root.remove());
  parent.append(root);
  root.showModal();
}
