// @ts-check
// The page, so far: it connects, and shows how that stands.

import { openChannel } from "./channel.js";

const WORDS = {
  connecting: "connecting to your node",
  open: "connected to your node",
  lost: "your node is away; looking for it",
  stranger: "open the address that your node has printed",
};

const place = /** @type {HTMLElement} */ (document.getElementById("state"));

openChannel(
  (state) => {
    place.textContent = WORDS[state];
    document.body.dataset.state = state;
  },
  (text) => {
    document.body.dataset.heard = text;
  },
);
