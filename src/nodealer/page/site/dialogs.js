// @ts-check
// Windows over the page: rules, connections, settings, keys, and the question before what cannot be
// taken back.

import { button, icon, list, make, show, tell } from "./dom.js";
import { joinForm } from "./joining.js";
import { markdown } from "./markdown.js";
import { change, settings } from "./settings.js";
import { chime } from "./sound.js";
import { KEYS, WORDS } from "./words.js";

/**
 * A window with a title and a way out; it is a part of the page that is shown over it.
 * @param {string} title
 * @param {...(Node | string)} children
 */
export function dialog(title, ...children) {
  const close = make("button", { type: "button", class: "icon-button", "aria-label": WORDS.close }, icon("close"));
  const head = make("div", { class: "dialog-head" }, make("h2", {}, title), close);
  const body = make("div", { class: "dialog-body", tabindex: 0, role: "group", "aria-label": title }, ...children);
  const root = make("dialog", { class: "dialog", "aria-label": title }, head, body);
  close.addEventListener("click", () => root.close());
  root.addEventListener("click", (event) => event.target === root && root.close());
  return { root, body };
}

export function rulesDialog() {
  const { root, body } = dialog(WORDS.rules);
  root.classList.add("reading");
  return {
    root,
    /** @param {string} text */
    fill(text) {
      body.replaceChildren(markdown(text));
    },
  };
}

export function linksDialog() {
  const lines = make("ul", { class: "plain" });
  const { root } = dialog(WORDS.links, lines);
  return {
    root,
    /** @param {string[]} texts */
    fill(texts) {
      list(lines, texts);
    },
  };
}

export function keysDialog() {
  const rows = KEYS.map(([keys, does]) => {
    const caps = keys.map((key) => (key === "…" ? " … " : make("kbd", {}, key)));
    return make("div", { class: "key-row" }, make("dt", {}, ...caps), make("dd", {}, does));
  });
  return dialog(WORDS.keys, make("dl", { class: "keys" }, ...rows));
}

/** @param {() => void} changed @param {() => void} showKeys */
export function settingsDialog(changed, showKeys) {
  /** @param {Partial<import("./settings.js").Settings>} what */
  const set = (what) => {
    change(what);
    changed();
  };
  return dialog(
    WORDS.settings,
    choices(WORDS.theme, WORDS.themes, settings.theme, (theme) => set({ theme })),
    choices(WORDS.motion, WORDS.motions, settings.motion, (motion) => set({ motion })),
    tick(WORDS.suits, settings.suits, (suits) => set({ suits })),
    tick(WORDS.sound, settings.sound, (sound) => {
      set({ sound });
      if (sound) chime();
    }),
    tick(WORDS.steps, settings.steps, (steps) => set({ steps })),
    tick(WORDS.letters, settings.letters, (letters) => set({ letters })),
    make("div", { class: "row" }, button(WORDS.keys, showKeys)),
  );
}

/** One of several. @param {string} title @param {Record<string, string>} words @param {string} chosen @param {(value: string) => void} set */
function choices(title, words, chosen, set) {
  const options = Object.entries(words).map(([value, text]) => {
    const input = make("input", { type: "radio", name: title, value, checked: value === chosen });
    input.addEventListener("change", () => set(value));
    return make("label", { class: "tick" }, input, text);
  });
  return make("fieldset", { class: "choices" }, make("legend", {}, title), ...options);
}

/** Yes or no. @param {string} text @param {boolean} is @param {(is: boolean) => void} set */
function tick(text, is, set) {
  const input = make("input", { type: "checkbox", checked: is });
  input.addEventListener("change", () => set(input.checked));
  return make("label", { class: "tick" }, input, text);
}

/**
 * An invite that came with the address: nobody is visited before the player says so.
 * @param {(what: string, fields?: Record<string, unknown>) => Promise<boolean>} ask
 */
export function joinDialog(ask) {
  const form = joinForm(ask);
  const refused = make("p", { class: "problem", role: "alert", hidden: true });
  const { root, body } = dialog(WORDS.joinFriends, refused, form.root);
  form.root.addEventListener("joined", (event) => {
    if (/** @type {CustomEvent<boolean>} */ (event).detail) root.close();
  });
  body.removeAttribute("tabindex");
  return {
    root,
    body,
    /**
     * @param {string} invite
     * @param {import("./texts.js").Shown | null} shown - where the player's name is known from
     * @param {string} [problem] - why it has to be asked again
     */
    open(invite, shown, problem = "") {
      form.called(nameIn(shown));
      tell(refused, problem);
      show(refused, problem !== "");
      if (!root.open) root.showModal();
      form.fill(invite);
    },
    /** The name comes with the first text, which may be later than the address. @param {import("./texts.js").Shown} shown */
    called(shown) {
      if (root.open) form.called(nameIn(shown));
    },
  };
}

/** The name of the player, where it is told. @param {import("./texts.js").Shown | null} shown */
function nameIn(shown) {
  if (shown?.is === "home") return shown.name;
  return shown?.seats.find((seat) => seat.is_you)?.name ?? "";
}

/** @param {() => void} leave */
export function leaveDialog(leave) {
  const made = dialog(WORDS.leaveYes, make("p", {}, WORDS.leaveSure));
  const stay = button(WORDS.stay, () => made.root.close(), { autofocus: true });
  const go = button(WORDS.leaveYes, () => {
    made.root.close();
    leave();
  }, { class: "danger" });
  made.body.append(make("div", { class: "row" }, stay, go));
  return made;
}

