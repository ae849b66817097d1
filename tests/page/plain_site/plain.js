// @ts-check
// A page that connects, and shows how that stands.

import { openChannel } from "./channel.js";

openChannel((state) => (document.body.dataset.state = state), () => {});
