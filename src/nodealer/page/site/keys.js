// @ts-check
// Keys: whatever can be clicked can be reached and done with them. Digits pick, Enter plays, arrows
// go from card to card; a key that is typed into a field is a letter.

/**
 * @param {object} hooks
 * @param {HTMLElement} hooks.table
 * @param {() => boolean} hooks.isAtTable
 * @param {() => boolean} hooks.play - plays what is chosen; false if nothing is
 * @param {(what: string) => void} hooks.step
 * @param {() => Record<string, () => void>} hooks.letters - what single letters do
 */
export function listenToKeys({ table, isAtTable, play, step, letters }) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (isTyped(target) || document.querySelector("dialog[open]")) return;
    document.documentElement.dataset.keys = "used";
    if (act(event, target)) event.preventDefault();
  });
  addEventListener("pointerdown", () => delete document.documentElement.dataset.keys);

  /** @param {KeyboardEvent} event @param {HTMLElement} target @returns {boolean} whether it was for the page */
  function act(event, target) {
    const letter = letters()[event.key.toLowerCase()];
    if (letter) {
      letter();
      return true;
    }
    if (!isAtTable()) return false;
    if (/^[0-9]$/.test(event.key)) return pickByDigit(event.key);
    switch (event.key) {
      case "Enter":
        return isForPlay(target) && play();
      case "Backspace":
        step("back");
        return true;
      case "Escape":
        step("clear");
        return true;
      default:
        return walk(event.key, target);
    }
  }

  /** @param {string} digit */
  function pickByDigit(digit) {
    const meant = /** @type {HTMLElement | null} */ (table.querySelector(`[data-digit="${digit}"]`));
    meant?.focus();
    meant?.click();
    return meant !== null;
  }
}

/** Enter plays what is chosen, unless it is meant for what has the focus. @param {HTMLElement} target */
function isForPlay(target) {
  const isCard = target.matches("button[data-card]");
  if (isCard) return target.getAttribute("aria-pressed") === "true";
  return !target.closest("button, summary, a, [tabindex='0']");
}

/** @param {HTMLElement} target */
const isTyped = (target) => target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select");

/** Go from card to card. @param {string} key @param {HTMLElement} target @returns {boolean} */
function walk(key, target) {
  const cards = /** @type {HTMLElement[]} */ ([...(target.closest(".cards")?.querySelectorAll("button[data-card]") ?? [])]);
  const here = cards.indexOf(target);
  if (here < 0) return false;
  const steps = { ArrowRight: here + 1, ArrowLeft: here - 1, ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: cards.length - 1 };
  const there = cards[steps[/** @type {keyof typeof steps} */ (key)]];
  if (!there) return key in steps;
  for (const card of cards) card.tabIndex = card === there ? 0 : -1;
  there.focus();
  return true;
}

/**
 * Number what digits pick: the answers where something is asked, else own cards, other cards, kinds.
 * @param {HTMLElement} table
 */
export function numberForKeys(table) {
  /** @param {string} selector */
  const all = (selector) => [...table.querySelectorAll(selector)];
  const options = all(".choice-options:not([hidden]) .option");
  const cards = [".own", ".felt"].flatMap((part) => all(`${part} button:is(.is-can, .is-picked)`));
  const isAsked = options[0]?.hasAttribute("aria-pressed") === false;
  const meant = (isAsked ? options : [...cards, ...options]).slice(0, 10);
  for (const old of table.querySelectorAll("[data-digit]")) if (!meant.includes(old)) old.removeAttribute("data-digit");
  meant.forEach((one, index) => one.setAttribute("data-digit", String((index + 1) % 10)));
}
