// What went wrong, in one line that stays until it is read.

import { byId } from "./dom.js";

/** Show a line; an empty one takes it away. */
export function notice(text) {
  byId("notice-text").textContent = text;
  byId("notice").hidden = text === "";
}

/** Wire the button that takes the line away. */
export function initNotice() {
  byId("notice-close").addEventListener("click", () => notice(""));
}
