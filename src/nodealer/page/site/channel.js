// @ts-check
// The channel to the node: whole texts in order, in both directions, found again when it was lost.
//
// The token stands behind the # of the address that the node has printed. It is shown once, for a
// cookie that no script can read, and is taken out of the address at once. From then on the cookie
// is what lets this page in, also after a reload and after a restart of the node.

/** @typedef {"connecting" | "open" | "lost" | "stranger"} State */

const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5000;
const FORBIDDEN = 403;

/** Take the token out of the address; other fragments are left for others. */
function takeToken() {
  const found = /^#token=([0-9a-f]{32})$/.exec(location.hash);
  if (found) history.replaceState(null, "", location.pathname);
  return found?.[1] ?? null;
}

/**
 * Ask for the cookie; says whether it was given, or "lost" if nobody answers.
 *
 * @param {string | null} token
 * @returns {Promise<"let in" | "stranger" | "lost">}
 */
async function enter(token) {
  /** @type {Record<string, string>} */
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const answer = await fetch("/enter", { method: "POST", headers });
    if (answer.ok) return "let in";
    return answer.status === FORBIDDEN ? "stranger" : "lost";
  } catch {
    return "lost";
  }
}

/** @returns {Promise<WebSocket>} a socket that is open, or that has failed */
function opened() {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${location.host}/talk`);
    socket.onopen = socket.onerror = () => resolve(socket);
  });
}

/**
 * Keep a channel open for as long as the page is.
 *
 * @param {(state: State) => void} onState
 * @param {(text: string) => void} onText
 * @returns {(text: string) => boolean} says a text; false if there is nobody to hear it now
 */
export function openChannel(onState, onText) {
  let token = takeToken();
  /** @type {WebSocket | null} */
  let socket = null;
  let wake = () => {};

  /** @param {number} milliseconds */
  const rest = (milliseconds) =>
    new Promise((resolve) => {
      wake = () => resolve(null);
      if (milliseconds < Infinity) setTimeout(wake, milliseconds);
    });

  /** Talk until the socket closes. @param {WebSocket} opening */
  const talk = (opening) =>
    new Promise((resolve) => {
      opening.onclose = () => resolve(null);
      opening.onmessage = (event) => onText(event.data);
      if (opening.readyState !== WebSocket.OPEN) return resolve(null);
      socket = opening;
      onState("open");
    });

  async function run() {
    let wait = RETRY_MS_MIN;
    for (;;) {
      const found = await enter(token);
      if (found === "stranger") {
        onState("stranger");
        await rest(Infinity);
        continue;
      }
      if (found === "let in") {
        token = null;
        await talk(await opened());
        if (socket) wait = RETRY_MS_MIN;
        socket = null;
      }
      onState("lost");
      await rest(wait * (0.5 + Math.random()));
      wait = Math.min(wait * 2, RETRY_MS_MAX);
    }
  }

  // An address with a token that is opened in this very tab changes the fragment alone.
  addEventListener("hashchange", () => {
    token = takeToken() || token;
    if (token) wake();
  });
  // Another tab may have been let in meanwhile, or the node may be back.
  addEventListener("focus", () => wake());

  onState("connecting");
  run();
  return (text) => {
    if (!socket || socket.readyState !== WebSocket.OPEN) return false;
    socket.send(text);
    return true;
  };
}
