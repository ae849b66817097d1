// A player that speaks the dialogue over lines, and knows no game: node client.mjs SEED.
import { createInterface } from "node:readline";

let chance = BigInt(process.argv[2]);
let number = 0;
let table = null;

/** Draw a number below another one. */
function draw(count) {
  chance = (chance * 6364136223846793005n + 1442695040888963407n) % 2n ** 64n;
  return Number((chance >> 33n) % BigInt(count));
}

function wish(what, fields = {}) {
  number += 1;
  process.stdout.write(JSON.stringify({ n: number, do: what, ...fields }) + "\n");
}

/** List every step that the table offers. */
function steps(choice) {
  const found = [];
  for (const zone of table.zones) {
    for (const card of zone.cards) {
      if (card.can) found.push(["pick", { card: card.card }]);
    }
  }
  if (choice.kind === null) {
    for (const one of choice.kinds) found.push(["choose", { kind: one.kind }]);
  } else {
    found.push(["clear", {}]);
  }
  if (choice.picked.length > 0) found.push(["back", {}]);
  return found;
}

/** Make the next step of a choice, if there is anything to choose. */
function move() {
  if (table === null || !table.is_asked) return;
  const { height, choice } = table;
  if (choice.play !== null) {
    wish("play", { height, action: choice.play.action });
  } else if (choice.asked !== null) {
    wish("answer", { height, option: draw(choice.asked.options.length) });
  } else {
    let offered = steps(choice);
    const cards = offered.filter(([name]) => name === "pick");
    if (draw(4) > 0 && cards.length > 0) offered = cards; // who plays cards comes to an end
    const [name, fields] = offered[draw(offered.length)];
    wish(name, { height, ...fields });
  }
}

const lines = createInterface({ input: process.stdin });
for await (const line of lines) {
  const text = JSON.parse(line);
  switch (text.is) {
    case "hello":
      if (text.version !== 1) throw new Error(`version ${text.version} is spoken there`);
      wish("follow");
      break;
    case "table":
      table = text;
      move();
      break;
    case "answer":
      if (text.refused !== undefined) move();
      break;
    default: // lines, chat, and whatever there may be one day
  }
}
