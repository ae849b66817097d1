// @ts-check
// The rules of a game, which are Markdown, as elements. What they use is read: headings, paragraphs,
// lists, tables, code, quotes, emphasis. All else stays the text that it is; nothing becomes markup.

import { make } from "./dom.js";

/** @typedef {{lines: string[], at: number}} Reader */

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,4})[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^\s*>\s?(.*)$/;
const TABLE_LINE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

/** So deep are lists and quotes read; what is deeper is text. */
const DEPTH_MAX = 6;

/**
 * @param {string} text
 * @param {number} [above] - how many levels of headings stand above it on the page
 * @returns {DocumentFragment}
 */
export function markdown(text, above = 1) {
  const fragment = document.createDocumentFragment();
  fragment.append(...blocks(text.split(/\r?\n/), above, 0));
  return fragment;
}

/** @param {string[]} lines @param {number} above @param {number} depth @returns {HTMLElement[]} */
function blocks(lines, above, depth) {
  const reader = { lines, at: 0 };
  const found = [];
  while (reader.at < lines.length) {
    if (lines[reader.at].trim() === "") reader.at += 1;
    else found.push(block(reader, above, depth));
  }
  return found;
}

/** @param {Reader} reader @param {number} above @param {number} depth @returns {HTMLElement} */
function block(reader, above, depth) {
  const line = reader.lines[reader.at];
  const heading = HEADING.exec(line);
  if (heading) {
    reader.at += 1;
    const level = /** @type {"h2"} */ (`h${Math.min(6, heading[1].length + above)}`);
    return make(level, {}, ...inline(heading[2]));
  }
  if (FENCE.test(line)) return fenced(reader);
  if (RULE.test(line)) {
    reader.at += 1;
    return make("hr");
  }
  if (depth < DEPTH_MAX && QUOTE.test(line)) return quoted(reader, above, depth);
  if (depth < DEPTH_MAX && ITEM.test(line)) return listed(reader, above, depth);
  if (line.includes("|") && TABLE_LINE.test(reader.lines[reader.at + 1] ?? "")) return tabled(reader);
  return paragraph(reader, depth);
}

/** @param {Reader} reader */
function fenced(reader) {
  const fence = /** @type {RegExpExecArray} */ (FENCE.exec(reader.lines[reader.at]))[1];
  const code = [];
  reader.at += 1;
  while (reader.at < reader.lines.length && !reader.lines[reader.at].trim().startsWith(fence)) {
    code.push(reader.lines[reader.at]);
    reader.at += 1;
  }
  reader.at += 1;
  return make("pre", {}, make("code", {}, code.join("\n")));
}

/** @param {Reader} reader @param {number} above @param {number} depth */
function quoted(reader, above, depth) {
  const inner = [];
  for (let found; (found = QUOTE.exec(reader.lines[reader.at] ?? "")); reader.at += 1) inner.push(found[1]);
  return make("blockquote", {}, ...blocks(inner, above, depth + 1));
}

/** @param {Reader} reader @param {number} above @param {number} depth */
function listed(reader, above, depth) {
  const first = /** @type {RegExpExecArray} */ (ITEM.exec(reader.lines[reader.at]));
  const isOrdered = first[2] !== undefined;
  const indent = first[1].length;
  const list = isOrdered ? make("ol", { start: first[2] === "1" ? null : first[2] }) : make("ul");
  for (;;) {
    const item = ITEM.exec(reader.lines[reader.at] ?? "");
    if (!item || item[1].length !== indent || (item[2] !== undefined) !== isOrdered) return list;
    const inner = [item[3]];
    reader.at += 1;
    while (reader.at < reader.lines.length && belongs(reader, indent)) {
      inner.push(reader.lines[reader.at].slice(Math.min(indent + 2, leading(reader.lines[reader.at]))));
      reader.at += 1;
    }
    const parts = blocks(inner, 1, depth + 1);
    const isTight = parts[0]?.tagName === "P" && !inner.includes("");
    list.append(make("li", {}, ...(isTight ? [...parts[0].childNodes, ...parts.slice(1)] : parts)));
  }
}

/** @param {string} line */
const leading = (line) => line.length - line.trimStart().length;

/** Whether the next line belongs to the item before it. @param {Reader} reader @param {number} indent */
function belongs({ lines, at }, indent) {
  const line = lines[at];
  if (line.trim() === "") {
    const following = lines.slice(at + 1).find((one) => one.trim() !== "");
    return following !== undefined && leading(following) > indent;
  }
  if (leading(line) > indent) return true;
  return !ITEM.test(line) && !HEADING.test(line) && !FENCE.test(line) && lines[at - 1].trim() !== "";
}

/** @param {Reader} reader */
function tabled(reader) {
  const head = make("tr", {}, ...cells(reader.lines[reader.at]).map((cell) => make("th", { scope: "col" }, ...inline(cell))));
  const body = make("tbody");
  reader.at += 2;
  while ((reader.lines[reader.at] ?? "").includes("|")) {
    body.append(make("tr", {}, ...cells(reader.lines[reader.at]).map((cell) => make("td", {}, ...inline(cell)))));
    reader.at += 1;
  }
  return make("div", { class: "wide", tabindex: 0, role: "group" }, make("table", {}, make("thead", {}, head), body));
}

/** @param {string} line */
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

/** @param {Reader} reader @param {number} depth */
function paragraph(reader, depth) {
  const text = [];
  do {
    text.push(reader.lines[reader.at].trim());
    reader.at += 1;
  } while (reader.at < reader.lines.length && !begins(reader.lines[reader.at], depth));
  return make("p", {}, ...inline(text.join(" ")));
}

/** Whether a line begins something else. @param {string} line @param {number} depth */
const begins = (line, depth) =>
  line.trim() === "" || HEADING.test(line) || FENCE.test(line) || (depth < DEPTH_MAX && (ITEM.test(line) || QUOTE.test(line)));

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|\*([^\s*](?:[^*]*[^\s*])?)\*|\b_([^_]+)_\b|\[([^\]]+)\]\(([^)\s]*)\)/;

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  const found = [];
  let rest = text;
  for (let match; (match = INLINE.exec(rest)); ) {
    const [whole, , code, strong, strong2, slanted, slanted2, linked] = match;
    if (match.index > 0) found.push(rest.slice(0, match.index));
    if (code !== undefined) found.push(make("code", {}, code.trim()));
    else if (strong ?? strong2) found.push(make("strong", {}, ...inline(strong ?? strong2)));
    else if (slanted ?? slanted2) found.push(make("em", {}, ...inline(slanted ?? slanted2)));
    else found.push(...inline(linked)); // a link leads nowhere from here: its words stay
    rest = rest.slice(match.index + whole.length);
  }
  if (rest) found.push(rest);
  return found;
}
