// The live stream of a tower: it comes back by itself after a break.

import { ROOT } from "./api.js";

const FIRST_WAIT = 500; // ms
const LONGEST_WAIT = 15000; // ms
const REFUSED = [1008, 4400, 4401, 4403, 4404, 4410]; // closes that no waiting mends

/**
 * @param {string} tower
 * @param {string} token
 * @param {{onMessage: (message: object) => void, onState: (state: string) => void}} listener
 *   onState gets "open", "waiting" or "refused"
 */
export class Live {
  constructor(tower, token, listener) {
    this.url = new URL(`towers/${encodeURIComponent(tower)}/stream`, ROOT);
    this.url.protocol = this.url.protocol.replace("http", "ws");
    this.token = token;
    this.listener = listener;
    this.wait = FIRST_WAIT;
    this.timer = null;
    window.addEventListener("online", () => this.timer !== null && this.open());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.timer = null;
    const socket = new WebSocket(this.url);
    socket.onopen = () => socket.send(JSON.stringify({ token: this.token }));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "tower") {
        this.wait = FIRST_WAIT;
        this.listener.onState("open");
      }
      this.listener.onMessage(message);
    };
    socket.onclose = ({ code }) => {
      if (REFUSED.includes(code)) {
        this.listener.onState("refused");
        return;
      }
      this.listener.onState("waiting");
      // Spread, so that all pages do not come back in the same moment after a restart.
      this.timer = setTimeout(() => this.open(), this.wait * (0.75 + 0.5 * Math.random()));
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    };
  }
}
