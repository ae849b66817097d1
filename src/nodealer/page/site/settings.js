// @ts-check
// What the player has set on this page; kept by the browser, for this browser alone.

const PLACE = "nodealer-settings";

/** @typedef {{theme: string, suits: boolean, motion: string, sound: boolean, steps: boolean, letters: boolean}} Settings */

/** @type {Settings} */
const USUAL = { theme: "system", suits: false, motion: "system", sound: false, steps: false, letters: true };

/** @returns {Settings} */
function read() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
    const known = Object.entries(USUAL).filter(([name, usual]) => typeof found[name] === typeof usual);
    return { ...USUAL, ...Object.fromEntries(known.map(([name]) => [name, found[name]])) };
  } catch {
    return { ...USUAL };
  }
}

/** @type {Settings} */
export const settings = read();

/** @param {Partial<Settings>} changed */
export function change(changed) {
  Object.assign(settings, changed);
  remember(PLACE, settings);
  apply();
}

/** Keep something in this browser; one that keeps nothing is no failure. @param {string} place @param {unknown} value */
export function remember(place, value) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // The page works without.
  }
}

/** What was kept, or nothing. @param {string} place @returns {any} */
export function recall(place) {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "null");
  } catch {
    return null;
  }
}

/** Show the page as it is set. */
export function apply() {
  const { dataset } = document.documentElement;
  if (settings.theme === "system") delete dataset.theme;
  else dataset.theme = settings.theme;
  if (settings.suits) dataset.suits = "four";
  else delete dataset.suits;
  dataset.motion = hasMotion() ? "full" : "none";
}

/** Whether cards move. */
export function hasMotion() {
  if (settings.motion !== "system") return settings.motion === "full";
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
