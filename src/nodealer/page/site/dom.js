// @ts-check
// Elements: made, filled and kept. Whatever is told by others becomes a text node here, and nothing
// else; an element that stays is changed, not made anew, so that it keeps its focus.

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Set attributes; true is an empty one, and false or nothing takes it away. @param {Element} element @param {Attributes} attributes */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/** Give an element this text, if it has another one. @param {Node} element @param {string} text */
export function tell(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * The child of an element at these places, which whoever made it knows to be there.
 * @param {Element} element
 * @param {...number} places
 * @returns {HTMLElement}
 */
export function child(element, ...places) {
  let found = element;
  for (const place of places) found = /** @type {Element} */ (found.children[place]);
  return /** @type {HTMLElement} */ (found);
}

/** Show an element or hide it. @param {HTMLElement} element @param {boolean} is */
export function show(element, is) {
  if (element.hidden === is) element.hidden = !is;
}

/** @param {Element} element @param {string} name @param {boolean} is */
export function mark(element, name, is) {
  if (element.classList.contains(name) !== is) element.classList.toggle(name, is);
}

/**
 * A button of the page's own.
 * @param {string} text
 * @param {() => void} action
 * @param {Attributes} [attributes]
 */
export function button(text, action, attributes = {}) {
  const made = make("button", { type: "button", ...attributes }, text);
  made.addEventListener("click", action);
  return made;
}

/** @type {WeakMap<Element, Map<string, Element>>} */
const KEPT = new WeakMap();

/**
 * Give a parent one child for each item, in order. A child is known by its key and stays the same.
 * @template Item
 * @template {Element} Child
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item, index: number) => string} key
 * @param {(item: Item) => Child} create
 * @param {(child: Child, item: Item, index: number) => void} update
 */
export function keep(parent, items, key, create, update) {
  const before = /** @type {Map<string, Child>} */ (KEPT.get(parent) ?? new Map());
  /** @type {Map<string, Child>} */
  const after = new Map();
  items.forEach((item, index) => {
    const name = key(item, index);
    const child = before.get(name) ?? create(item);
    after.set(name, child);
    update(child, item, index);
  });
  for (const [name, child] of before) if (after.get(name) !== child) child.remove();
  let place = parent.firstElementChild;
  for (const child of after.values()) {
    if (child === place) place = child.nextElementSibling;
    else move(parent, child, place);
  }
  KEPT.set(parent, after);
}

/** Put a child before another; where the browser can, without taking its focus. @param {Element} parent @param {Element} child @param {Element | null} place */
function move(parent, child, place) {
  const moving = /** @type {{moveBefore?: (node: Node, place: Node | null) => void}} */ (/** @type {unknown} */ (parent));
  if (child.parentNode === parent && moving.moveBefore) moving.moveBefore(child, place);
  else parent.insertBefore(child, place);
}

/** Give a list one item for each of these texts. @param {Element} list @param {readonly string[]} texts @param {"li" | "p"} [tag] */
export function list(list, texts, tag = "li") {
  keep(list, texts, (_, index) => String(index), () => make(tag), tell);
}

const SVG = "http://www.w3.org/2000/svg";

/** @type {Record<string, string>} */
const PATHS = {
  rules: "M4 5c3-1.5 6-1 8 1 2-2 5-2.500 8-1v14c-3-1.500-6-1-8 1-2-2-5-2.500-8-1zM12 6v14",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4",
  keys: "M3 6h18v12H3zM7 10h.1M11 10h.1M15 10h.1M7 14h10",
  story: "M5 6h14M5 10h14M5 14h9M5 18h6",
  home: "M4 12l8-7 8 7M6 10v9h12v-9",
  turn: "M8 5l9 7-9 7z",
  close: "M6 6l12 12M18 6L6 18",
};

/** A small picture on a button; the button has the words. @param {string} name */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  set(svg, { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" });
  const path = document.createElementNS(SVG, "path");
  set(path, { d: PATHS[name] ?? "" });
  svg.append(path);
  return svg;
}
