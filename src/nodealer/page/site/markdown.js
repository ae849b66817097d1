// @ts-check
// The rules of a game, which are Markdown, as elements. What they use is read: headings, paragraphs,
// lists, tables, code, quotes, emphasis. All else stays the text that it is; nothing becomes markup.

import { make } from "./dom.js";

/** @typedef {{lines: string[], at: number}} Reader */

/** A line of a reader, from where it is; beyond its end there are empty ones. @param {Reader} reader @param {number} [further] */
const lineOf = ({ lines, at }, further = 0) => lines[at + further] ?? "";

/** @param {Reader} reader */
const isAtEnd = ({ lines, at }) => at >= lines.length;

/** The part of a match that is there. @param {RegExpExecArray} match @param {number} place */
const group = (match, place) => match[place] ?? "";

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
  while (!isAtEnd(reader)) {
    if (lineOf(reader).trim() === "") reader.at += 1;
    else found.push(block(reader, above, depth));
  }
  return found;
}

/** @param {Reader} reader @param {number} above @param {number} depth @returns {HTMLElement} */
function block(reader, above, depth) {
  const line = lineOf(reader);
  const heading = HEADING.exec(line);
  if (heading) {
    reader.at += 1;
    const level = /** @type {"h2"} */ (`h${Math.min(6, group(heading, 1).length + above)}`);
    return make(level, {}, ...inline(group(heading, 2)));
  }
  if (FENCE.test(line)) return fenced(reader);
  if (RULE.test(line)) {
    reader.at += 1;
    return make("hr");
  }
  if (depth < DEPTH_MAX && QUOTE.test(line)) return quoted(reader, above, depth);
  if (depth < DEPTH_MAX && ITEM.test(line)) return listed(reader, above, depth);
  if (line.includes("|") && TABLE_LINE.test(lineOf(reader, 1))) return tabled(reader);
  return paragraph(reader, depth);
}

/** @param {Reader} reader */
function fenced(reader) {
  const fence = FENCE.exec(lineOf(reader))?.[1] ?? "";
  const code = [];
  reader.at += 1;
  while (!isAtEnd(reader) && !lineOf(reader).trim().startsWith(fence)) {
    code.push(lineOf(reader));
    reader.at += 1;
  }
  reader.at += 1;
  return make("pre", {}, make("code", {}, code.join("\n")));
}

/** @param {Reader} reader @param {number} above @param {number} depth */
function quoted(reader, above, depth) {
  const inner = [];
  for (let found; !isAtEnd(reader) && (found = QUOTE.exec(lineOf(reader))); reader.at += 1) inner.push(group(found, 1));
  return make("blockquote", {}, ...blocks(inner, above, depth + 1));
}

/** @param {Reader} reader @param {number} above @param {number} depth */
function listed(reader, above, depth) {
  const [, margin = "", number] = ITEM.exec(lineOf(reader)) ?? [];
  const isOrdered = number !== undefined;
  const indent = margin.length;
  const list = isOrdered ? make("ol", { start: number === "1" ? null : number }) : make("ul");
  for (;;) {
    const item = ITEM.exec(lineOf(reader));
    if (!item || group(item, 1).length !== indent || (item[2] !== undefined) !== isOrdered) return list;
    const inner = [group(item, 3)];
    reader.at += 1;
    while (!isAtEnd(reader) && belongs(reader, indent)) {
      inner.push(lineOf(reader).slice(Math.min(indent + 2, leading(lineOf(reader)))));
      reader.at += 1;
    }
    const [first, ...others] = blocks(inner, above, depth + 1);
    if (!first) continue;
    const isTight = first.tagName === "P" && !inner.includes("");
    list.append(make("li", {}, ...(isTight ? first.childNodes : [first]), ...others));
  }
}

/** @param {string} line */
const leading = (line) => line.length - line.trimStart().length;

/** Whether the next line belongs to the item before it. @param {Reader} reader @param {number} indent */
function belongs(reader, indent) {
  const line = lineOf(reader);
  if (line.trim() === "") {
    const following = reader.lines.slice(reader.at + 1).find((one) => one.trim() !== "");
    return following !== undefined && leading(following) > indent;
  }
  if (leading(line) > indent) return true;
  return !ITEM.test(line) && !HEADING.test(line) && !FENCE.test(line) && lineOf(reader, -1).trim() !== "";
}

/** @param {Reader} reader */
function tabled(reader) {
  const head = make("tr", {}, ...cells(lineOf(reader)).map((cell) => make("th", { scope: "col" }, ...inline(cell))));
  const body = make("tbody");
  reader.at += 2;
  while (lineOf(reader).includes("|")) {
    body.append(make("tr", {}, ...cells(lineOf(reader)).map((cell) => make("td", {}, ...inline(cell)))));
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
    text.push(lineOf(reader).trim());
    reader.at += 1;
  } while (!isAtEnd(reader) && !begins(lineOf(reader), depth));
  return make("p", {}, ...inline(text.join(" ")));
}

/** Whether a line begins something else. @param {string} line @param {number} depth */
const begins = (line, depth) =>
  line.trim() === "" || HEADING.test(line) || FENCE.test(line) || (depth < DEPTH_MAX && (ITEM.test(line) || QUOTE.test(line)));

const INLINE = /(`+)(.+?)\1|\*\*(.+?)\*\*|__(.+?)__|\*([^\s*](?:[^*]*[^\s*])?)\*|\b_([^_]+)_\b|\[([^\]]+)\]\(([^)\s]*)\)/;

/** @param {string} text @returns {(Node | string)[]} */
function inline(text) {
  /** @type {(Node | string)[]} */
  const found = [];
  let rest = text;
  for (let match; (match = INLINE.exec(rest)); ) {
    if (match.index > 0) found.push(rest.slice(0, match.index));
    found.push(...marked(match));
    rest = rest.slice(match.index + group(match, 0).length);
  }
  if (rest) found.push(rest);
  return found;
}

/** @param {RegExpExecArray} match @returns {(Node | string)[]} */
function marked(match) {
  const [, , code, strong, strong2, slanted, slanted2, linked] = match;
  if (code !== undefined) return [make("code", {}, code.trim())];
  const [bold, oblique] = [strong ?? strong2, slanted ?? slanted2];
  if (bold !== undefined) return [make("strong", {}, ...inline(bold))];
  if (oblique !== undefined) return [make("em", {}, ...inline(oblique))];
  return inline(linked ?? ""); // a link leads nowhere from here: its words stay
}
