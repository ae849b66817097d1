// @ts-check
// The page's own words: for its buttons, and for what is so only in a browser. All that is said of a
// game, a table or a person comes ready from the program.

export const WORDS = {
  program: "nodealer",
  toTable: "To the table",
  toChoice: "To your choice",

  // The connection to the own node.
  connecting: "Connecting to your node …",
  lost: "Your node is away. Looking for it …",
  found: "Your node is back.",
  stranger: "This page does not know you yet. Open the address that your node has printed.",
  other: "Your node speaks another version of the language of this page. Load the page again.",
  ended: "Your node has ended this visit. Load the page again.",
  notSent: "Your node is away; nothing was sent.",
  broken: "Something went wrong on this page. Your game is safe with your node.",
  reload: "Load again",

  // Buttons.
  home: "Home",
  rules: "Rules",
  settings: "Settings",
  keys: "Keys",
  story: "Story and chat",
  log: "Story",
  chat: "Chat",
  links: "Connections",
  close: "Close",
  play: "Play",
  back: "Back",
  clear: "Start over",
  again: "Play again",
  leave: "Leave for good …",
  leaveSure: "Leave this table for good? This cannot be taken back.",
  leaveYes: "Leave for good",
  stay: "Stay",
  mute: "Mute",
  unmute: "Hear again",
  say: "Say",
  sayWhat: "Say something to the table",
  older: "Earlier lines",
  newest: "To the newest",
  steps: "Show every step of proof",
  dismiss: "Got it",
  copy: "Copy",
  copied: "Copied",

  // Where things are.
  table: "Table",
  seats: "Seats",
  middle: "Middle of the table",
  own: "Your cards",
  choice: "Your choice",
  others: "Other players",
  standing: "Standing",
  status: "Round",
  away: "While you were away",
  gone: "Earlier lines are not kept any more.",
  empty: "empty",
  nothingSaid: "Nobody has said anything yet.",
  nothingTold: "Nothing has happened yet.",
  yourTurn: "Your turn",
  over: "Over",

  // Seats.
  you: "you",
  bot: "bot",
  muted: "muted",
  turn: "has the turn",
  done: "done",
  now: "at it",
  later: "later",

  // Settings.
  theme: "Colours",
  themes: { system: "As the system", light: "Light", dark: "Dark", contrast: "High contrast" },
  suits: "Suits in four colours",
  motion: "Moving cards",
  motions: { system: "As the system", full: "Always", none: "Never" },
  sound: "A sound when it is my turn",
  letters: "Keys of single letters",

  // Home and lobby, for now.
  practise: "Play against bots",
  bots: "How many players",
  begin: "Start",
  options: "Options",
  tables: "My tables",
  people: "People I know",
  host: "Invite friends",
  join: "Join friends",
  invite: "Invite",
  name: "Your name",
  clock: "Clock",
  open: "Go on",
  replay: "Look again",
  accept: "Accept",
  takeBack: "Take back",
  start: "Begin the game",
  sendAway: "Send away",
  confirm: "The words are right",
  end: "Leave the lobby",
  terms: "What is offered",
  accepted: "has accepted",
  before: "before",

  // A record.
  first: "First",
  previous: "One back",
  next: "One on",
  last: "Last",
  signed: "Signed by",
  proven: "What is proven of it",
  hands: "What everybody was left with",
  entry: "This entry",
  // A file is judged.
  judge: "Check a record",
  chooseFile: "A file with a record",
  dropHint: "Choose a file that nodealer has written, or drop one anywhere on this page. Your node checks every signature, proof and move in it.",
  bringing: (/** @type {string} */ name) => `Bringing ${name} to your node …`,
  checkingFile: (/** @type {string} */ name) => `Checking ${name} … your table goes on meanwhile.`,
  checking: "Checking",
  checks: "Checks",
  counts: ["checks", "passed", "failed", "not run"],
  unreadable: "The browser cannot read this file.",
  culprit: (/** @type {string} */ name) => `${name} has signed what is wrong.`,

  run: "Go on by itself",
  pause: "Stop here",
  chair: "Seen by",
  everybody: "everybody",
  /** What the judge says of a record. @type {Record<string, string>} */
  judged: {
    complete: "Complete and right: everything in this record was checked.",
    unfinished: "Right as far as it goes: the game was not finished.",
    invalid: "Not right: no more of this record can be believed than what is shown.",
    unchecked: "Nothing is wrong, but not everything could be checked.",
    unreadable: "This cannot be read.",
  },
  /** @param {number} height @param {number} last */
  entryOf: (height, last) => `entry ${height} of ${last}`,

  /** @param {number} count */
  cards: (count) => (count === 1 ? "1 card" : `${count} cards`),
  /** @param {number} number @param {string} zone */
  cardAt: (number, zone) => `card ${number}, ${zone}`,
  /** @param {number} count */
  folded: (count) => (count === 1 ? "1 step of proof" : `${count} steps of proof`),
  /** @param {number} count */
  news: (count) => (count === 1 ? "1 new line" : `${count} new lines`),
  /** @param {number} games */
  game: (games) => `game ${games}`,
};

/** What keys do, in the order in which they are listed. @type {[string[], string][]} */
export const KEYS = [
  [["1", "…", "9", "0"], "pick a card, or answer what is asked, in order"],
  [["←", "→", "Home", "End"], "go from card to card"],
  [["Space"], "pick the card, or put it back"],
  [["Enter"], "play what is chosen"],
  [["Backspace"], "take the last step back"],
  [["Escape"], "start the choice over, or close what is open"],
  [["H"], "to your cards"],
  [["M"], "to the middle of the table"],
  [["P"], "to the other players"],
  [["C"], "to the chat"],
  [["L"], "to the story"],
  [["R"], "rules"],
  [["S"], "settings"],
  [["?"], "this list"],
];
