// @ts-check
// The memory of the page: what is shown now, and the lines of log and chat that have come. It is
// changed by texts of the program and by nothing else, and all of it can be asked for again.

/**
 * @typedef {import("./texts.js").Shown} Shown
 * @typedef {import("./texts.js").LogLine} LogLine
 * @typedef {import("./texts.js").ChatLine} ChatLine
 * @typedef {object} Memory
 * @property {Shown | null} shown
 * @property {LogLine[]} lines
 * @property {boolean} gone - whether older lines than these are lost
 * @property {ChatLine[]} chat
 * @property {number} came - when the shown table came, by the clock of the page
 */

/** So many lines are kept; the program has more. */
export const LINES_MAX = 5000;
const CHAT_MAX = 1000;

/** @returns {Memory} */
export const nothing = () => ({ shown: null, lines: [], gone: false, chat: [], came: 0 });

/** @param {Shown | null} shown */
const markOf = (shown) => (shown?.is === "table" ? shown.mark : null);

/**
 * Take a text in. What is unknown is passed over.
 * @param {Memory} memory
 * @param {any} text
 * @param {number} now
 */
export function take(memory, text, now) {
  switch (text.is) {
    case "home":
    case "lobby":
    case "table":
      if (markOf(text) !== markOf(memory.shown)) forget(memory);
      memory.shown = text;
      memory.came = now;
      break;
    case "lines":
      if (text.from !== undefined) memory.lines = memory.lines.filter((line) => line.at[0] < text.from);
      memory.gone ||= text.gone === true;
      memory.lines.push(...text.lines);
      if (memory.lines.length > LINES_MAX) {
        memory.lines.splice(0, memory.lines.length - LINES_MAX);
        memory.gone = true;
      }
      break;
    case "chat":
      if (text.anew) memory.chat = [];
      memory.chat.push(...text.lines);
      memory.chat.splice(0, memory.chat.length - CHAT_MAX);
      break;
  }
}

/** @param {Memory} memory */
function forget(memory) {
  memory.lines = [];
  memory.chat = [];
  memory.gone = false;
}

/** What `follow` says of it. @param {Memory} memory @returns {Record<string, unknown>} */
export function known(memory) {
  const mark = markOf(memory.shown);
  const line = memory.lines.at(-1);
  const said = memory.chat.at(-1);
  return {
    ...(mark === null ? {} : { mark }),
    ...(line ? { log: line.at } : {}),
    ...(said ? { chat: [said.seat, said.number] } : {}),
  };
}

/** The present tick of the table, as far as the page can know it. @param {Memory} memory @param {number} now */
export const tickAt = (memory, now) => (memory.shown?.is === "table" ? memory.shown.now + (now - memory.came) : 0);

/** Whether a line comes after another place. @param {LogLine} line @param {readonly [number, number]} at */
export const isAfter = ({ at: [height, number] }, [h, n]) => height > h || (height === h && number > n);
