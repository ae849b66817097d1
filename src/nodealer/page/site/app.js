// @ts-check
// The page: it shows what the dialogue with the program sends, and sends what is wished.

import { announce, announceElsewhere, announceTable, liveRegion } from "./announce.js";
import { frame } from "./frame.js";
import { keepFocus } from "./focus.js";
import { takeInvites } from "./joining.js";
import { homeView } from "./home_view.js";
import { listenToKeys } from "./keys.js";
import { lobbyView } from "./lobby_view.js";
import { known, nothing, take, tickAt } from "./memory.js";
import { apply, settings } from "./settings.js";
import { tableView } from "./table_view.js";
import { openTalk } from "./talk.js";
import { WORDS } from "./words.js";

const PASS_MS = 250;
const QUIET_MS = 1500;

/** Lines of these tones are said aloud. */
const ALOUD = ["game", "table", "alarm"];

const memory = nothing();
let isDue = false;
/** Lines of the past, which come after a follow, are not said aloud. */
let quietUntil = 0;

/** @type {import("./texts.js").Wish} */
const wish = (what, fields) => talk(what, fields);

/** A wish that tells the player where it was refused. @param {string} what @param {Record<string, unknown>} [fields] */
async function ask(what, fields = {}) {
  const answer = await wish(what, fields);
  if (answer.refused) page.toast(answer.refused === "away" ? WORDS.notSent : answer.says || answer.refused);
  else if (answer.says) page.toast(answer.says);
  return !answer.refused;
}

const goHome = () => ask("close");
const table = tableView({ wish, refused: (says) => page.toast(says), goHome });
const home = homeView(ask, (invite, problem) => page.join(invite, memory.shown, problem));
const lobby = lobbyView(ask);
const page = frame({ wish, ask, goHome, views: { table: table.root, home: home.root, lobby: lobby.root }, redraw: () => due() });

apply();
document.getElementById("opening")?.remove();
document.body.append(page.root, liveRegion());
addEventListener("error", () => page.fail());
addEventListener("unhandledrejection", () => page.fail());
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) page.told(memory, memory);
  due();
});
matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", apply);

listenToKeys({
  table: table.root,
  isAtTable: () => memory.shown?.is === "table",
  play: table.playNow,
  step: (what) => table.step(what),
  letters: () => (settings.letters ? page.letters : {}),
});

/** @param {any} text */
function hear(text) {
  if (["rules", "links", "verdict"].includes(text.is)) return page.fill(text);
  const now = performance.now();
  if (text.is === "hello") quietUntil = now + QUIET_MS;
  take(memory, text, now);
  if (text.is === "lines") hearLines(text.lines, now);
  due();
}

/** @param {import("./texts.js").LogLine[]} lines @param {number} now */
function hearLines(lines, now) {
  page.told(memory, { lines });
  if (now > quietUntil) announce(lines.filter((line) => ALOUD.includes(line.tone)).map((line) => line.text));
}

/** Draw once for all that has come until the next frame; a page that is not seen draws later. */
function due() {
  if (isDue) return;
  isDue = true;
  if (document.hidden) setTimeout(draw, PASS_MS);
  else requestAnimationFrame(draw);
}

function draw() {
  isDue = false;
  const { shown } = memory;
  if (!shown) return;
  keepFocus(() => {
    page.update(memory);
    if (shown.is === "table") table.update(shown, page.sky);
    else if (shown.is === "home") home.update(shown);
    else lobby.update(shown);
  });
  if (shown.is === "table") announceTable(shown);
  else if (shown.is === "lobby") announceElsewhere(shown.game, shown.headline);
  else announceElsewhere(WORDS.home);
}

takeInvites((invite) => page.join(invite, memory.shown));

const talk = openTalk({ known: () => known(memory), heard: hear, stood: page.stand });

setInterval(() => table.pass(tickAt(memory, performance.now())), PASS_MS);

