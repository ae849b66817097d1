// @ts-check
// A QR code, drawn of the rows of modules that the program sends: 1 is dark, 0 is light.

import { set } from "./dom.js";
import { WORDS } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** The path of all dark modules, in runs. @param {readonly string[]} rows */
function pathOf(rows) {
  let path = "";
  rows.forEach((row, y) => {
    for (const run of row.matchAll(/1+/g)) path += `M${run.index} ${y}h${run[0].length}v1h-${run[0].length}z`;
  });
  return path;
}

/** A picture that is always dark on light, as those expect it that read it. */
export function squares() {
  const root = document.createElementNS(SVG, "svg");
  const dark = document.createElementNS(SVG, "path");
  set(root, { class: "squares", role: "img", "aria-label": WORDS.squares });
  root.append(dark);
  return {
    root,
    /** @param {readonly string[]} rows */
    update(rows) {
      set(root, { viewBox: `0 0 ${rows.length} ${rows.length}`, hidden: rows.length === 0 });
      set(dark, { d: pathOf(rows) });
    },
  };
}
