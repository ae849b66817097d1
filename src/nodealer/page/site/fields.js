// @ts-check
// Fields of forms: options of a game as the game explains them, clocks shown whole, policies.

import { make, set, show } from "./dom.js";
import { WORDS } from "./words.js";

/** @typedef {string | number | boolean} Value */

/**
 * The field of one option.
 * @param {import("./texts.js").GameOption} option
 */
export function optionField(option) {
  const { default: usual, choices } = option;
  const isOneOf = typeof usual === "string" && choices.length > 0 && choices.includes(usual);
  const input = isOneOf ? choice(option.name, choices.map((one) => [one, one]), usual) : make("input", { name: option.name, autocomplete: "off" });
  if (!isOneOf) {
    if (typeof usual === "boolean") set(input, { type: "checkbox", checked: usual });
    else if (typeof usual === "number") set(input, { type: "number", min: option.least, max: option.most, value: usual, required: true });
    else set(input, { type: "text", value: usual, maxlength: 200 });
  }
  const root = make("label", { class: typeof usual === "boolean" ? "tick" : "" }, option.says, input);
  const value = () => {
    if (input instanceof HTMLInputElement && typeof usual === "boolean") return input.checked;
    return typeof usual === "number" ? Number(input.value) : input.value;
  };
  return {
    root,
    input,
    name: option.name,
    value,
    /** @returns {[string, Value][]} what is other than usual */
    chosen: () => (value() === usual || input.value === "" ? [] : [[option.name, value()]]),
  };
}

/** All options of a game, folded away. @param {import("./texts.js").Game} game */
export function optionFields(game) {
  const fields = game.options.map(optionField);
  const root = make("details", { class: "options" }, make("summary", {}, WORDS.options), make("div", { class: "fields" }, ...fields.map((field) => field.root)));
  show(root, fields.length > 0);
  return { root, chosen: () => Object.fromEntries(fields.flatMap((field) => field.chosen())) };
}

/** @param {import("./texts.js").Game} game @param {number} usual */
export function seatsField({ seats: [least, most] }, usual) {
  const value = Math.min(most, Math.max(least, usual));
  return make("input", { type: "number", name: "seats", min: least, max: most, value, required: true, inputmode: "numeric" });
}

/** A list to choose from. @param {string} name @param {[string, string][]} values @param {string} chosen */
export function choice(name, values, chosen) {
  const made = make("select", { name });
  for (const [value, text] of values) made.append(make("option", { value, selected: value === chosen }, text));
  return made;
}

/** What the program says of a name. @param {import("./texts.js").Named[]} known @param {string} name */
export const saysOf = (known, name) => known.find((one) => one.name === name)?.says ?? name;

/** The clocks, each with all that it says. @param {import("./texts.js").Named[]} clocks @param {string} chosen @param {string} group */
export function clockFields(clocks, chosen, group) {
  const inputs = clocks.map((clock) => make("input", { type: "radio", name: group, value: clock.name, checked: clock.name === chosen }));
  const labels = clocks.map((clock, index) =>
    make("label", { class: "tick clock" }, /** @type {Node} */ (inputs[index]), make("span", {}, make("strong", {}, clock.name), make("span", { class: "hint" }, clock.says))),
  );
  const root = make("fieldset", { class: "clocks" }, make("legend", {}, WORDS.clock), ...labels);
  return { root, inputs, value: () => inputs.find((input) => input.checked)?.value ?? "" };
}
