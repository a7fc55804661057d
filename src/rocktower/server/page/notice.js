// What went wrong, in one line that stays until it is read.

import { byId } from "./dom.js";

/** A server's message as a sentence. */
export const asSentence = (text) =>
  text && `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

/** Show a line; an empty one takes it away. */
export function notice(text) {
  byId("notice-text").textContent = asSentence(text);
  byId("notice").hidden = text === "";
}

/** Wire the button that takes the line away. */
export function initNotice() {
  byId("notice-close").addEventListener("click", () => notice(""));
}
