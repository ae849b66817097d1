// @ts-check
// The talk with the program: wishes with their numbers, answers that find their wish, and texts that
// are read into the memory of the page.

import { openChannel } from "./channel.js";

/** @typedef {import("./texts.js").Answer} Answer */

const VERSION = 1;

/** A wish that nobody hears. @type {Answer} */
const UNHEARD = { to: null, refused: "away" };

/**
 * @param {object} hooks
 * @param {(state: "connecting" | "open" | "lost" | "stranger" | "other" | "ended") => void} hooks.stood
 * @param {(text: any) => void} hooks.heard
 * @param {() => Record<string, unknown>} hooks.known - what the page has already, for `follow`
 * @returns {import("./texts.js").Wish}
 */
export function openTalk({ stood, heard, known }) {
  let number = 0;
  /** @type {Map<number, (answer: Answer) => void>} */
  const waiting = new Map();

  const say = openChannel(
    (state) => {
      document.body.dataset.state = state;
      if (state !== "open") {
        for (const answer of waiting.values()) answer(UNHEARD);
        waiting.clear();
        stood(state);
      }
    },
    (text) => hear(JSON.parse(text)),
  );

  /** @param {any} text */
  function hear(text) {
    switch (text.is) {
      case "hello":
        if (text.version !== VERSION) return stood("other");
        stood("open");
        wish("follow", known());
        return heard(text);
      case "answer": {
        const answer = waiting.get(text.to);
        waiting.delete(text.to);
        return answer?.(text);
      }
      case "bye":
        return stood("ended");
      default:
        return heard(text);
    }
  }

  /** @type {import("./texts.js").Wish} */
  function wish(what, fields = {}) {
    number += 1;
    const mine = number;
    return new Promise((resolve) => {
      waiting.set(mine, resolve);
      if (!say(JSON.stringify({ ...fields, n: mine, do: what }))) {
        waiting.delete(mine);
        resolve(UNHEARD);
      }
    });
  }

  return wish;
}
