// @ts-check
/**
 * Cards as pictures: from the word of a face and its look to an SVG element.
 *
 * `drawFace(word, look)` and `drawBack(mark)` return an `<svg class="card …">`, `drawPicture(name)`
 * one picture without a card. What they show is data in the words of specs/games/looks.md; a look
 * that is not in these words is drawn as its face's word, so nothing that a game says can fail.
 *
 * Who uses them: the drawings are silent (`aria-hidden`), the button around one carries the name. A
 * card fills the width that it is given. It is drawn twice in one: as a whole, and in a form that is
 * read when it is small or others lie over all but its left edge. cards.css shows the second where
 * the card's frame, an element of class `card-frame` around it, is narrow.
 */

import { element, named } from "./cards/drawing.js";
import { jokerSmall, jokerWhole } from "./cards/courts.js";
import { POWERS_KNOWN, bullSmall, bullWhole, dialSmall, dialWhole, numberSmall, numberWhole } from "./cards/numbers.js";
import { PICTURES_KNOWN, picture } from "./cards/pictures.js";
import { back, marked, pictureSmall, pictureWhole, wordSmall, wordWhole } from "./cards/plain.js";
import { RANKS, SIGNS, small, whole } from "./cards/suits.js";

/** @typedef {import("./cards/drawing.js").Shape} Shape */
/** @typedef {Readonly<Record<string, unknown>>} Look */
/** @typedef {{classes: string, whole: (Shape | null)[], small: (Shape | null)[]}} Drawn */

/** @param {unknown} value @param {number} least @param {number} most @returns {value is number} */
const isWithin = (value, least, most) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

/** A field that is there and within its bounds, or nothing. @param {unknown} value @param {number} most */
const counted = (value, most) => (isWithin(value, 1, most) ? value : 0);

/** How bad so many bull heads are: five steps. @param {number} heads */
const tier = (heads) => [1, 2, 4, 6].filter((limit) => heads > limit).length;

/** @type {Readonly<Record<string, (look: Look) => Drawn | null>>} */
const KINDS = {
  french({ suit, rank }) {
    if (typeof suit !== "string" || !Object.hasOwn(SIGNS, suit)) return null;
    if (typeof rank !== "string" || !RANKS.includes(rank)) return null;
    const known = /** @type {import("./cards/suits.js").Suit} */ (suit);
    return { classes: `card-french card-${suit}`, whole: whole(known, rank), small: small(known, rank) };
  },
  joker({ ink }) {
    if (ink !== "black" && ink !== "red") return null;
    return { classes: `card-joker card-joker-${ink}`, whole: jokerWhole(ink), small: jokerSmall(ink) };
  },
  number({ number, heads, highest, power }) {
    if (!isWithin(number, 0, 999)) return null;
    const bulls = counted(heads, 99);
    if (bulls) {
      return { classes: `card-number card-tier-${tier(bulls)}`, whole: bullWhole(number, bulls), small: bullSmall(number, bulls) };
    }
    const end = counted(highest, 999);
    if (!end) return { classes: "card-number", whole: numberWhole(number), small: numberSmall(number) };
    const sign = typeof power === "string" && POWERS_KNOWN.includes(power) ? power : "";
    return { classes: "card-number card-dial", whole: dialWhole(number, end, sign), small: dialSmall(number, end, sign) };
  },
  picture(look) {
    const { picture: name, title } = look;
    if (typeof name !== "string" || !PICTURES_KNOWN.includes(name)) return null;
    if (typeof title !== "string" || !title) return null;
    const told = {
      picture: name,
      title,
      value: counted(look.value, 99),
      golden: counted(look.golden, 9),
      alarm: look.alarm === true,
      targets: counted(look.targets, 9),
    };
    return { classes: "card-picture", whole: pictureWhole(told), small: pictureSmall(told) };
  },
};

/** @param {Drawn} drawn @returns {SVGSVGElement} */
function card({ classes, whole: large, small: little }) {
  const inside = [named("card-whole", ...large), named("card-small", ...little)];
  const attributes = { class: `card ${classes}`, viewBox: "0 0 250 350", "aria-hidden": "true", focusable: "false" };
  return /** @type {SVGSVGElement} */ (element("svg", attributes, inside));
}

/**
 * The face of a card: by its look, or as the word that it is.
 * @param {string} word
 * @param {unknown} [look] - what the game has said of it, as it came
 * @returns {SVGSVGElement}
 */
export function drawFace(word, look) {
  const said = /** @type {Look} */ (typeof look === "object" && look !== null ? look : {});
  const draw = typeof said.kind === "string" && Object.hasOwn(KINDS, said.kind) ? KINDS[said.kind] : undefined;
  return card(draw?.(said) ?? { classes: "card-word", whole: wordWhole(word), small: wordSmall(word) });
}

/**
 * The back of a card, with its position if that tells it from others.
 * @param {number | null} [mark]
 * @returns {SVGSVGElement}
 */
export function drawBack(mark = null) {
  const inside = () => [...back(), ...(mark === null ? [] : marked(mark))];
  return card({ classes: "card-back", whole: inside(), small: inside() });
}

/**
 * A picture without a card, such as a golden potato beside a count; null if there is none of this name.
 * @param {string} name
 * @returns {SVGSVGElement | null}
 */
export function drawPicture(name) {
  const drawn = PICTURES_KNOWN.includes(name) ? picture(name, 0, 0, 200) : null;
  if (!drawn) return null;
  const attributes = { class: "card-token", viewBox: "-4 -4 208 208", "aria-hidden": "true", focusable: "false" };
  return /** @type {SVGSVGElement} */ (element("svg", attributes, [drawn]));
}
