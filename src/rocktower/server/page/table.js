// One tower on the page: keeps up with its events, and lets its players act.

import { Api, ApiError } from "./api.js";
import { LimitField, PutBackForm, StrikeForm } from "./controls.js";
import { byId } from "./dom.js";
import { logName, saveAs, showFairness } from "./fairness.js";
import { Film } from "./film.js";
import { showInvite } from "./invite.js";
import { Live } from "./live.js";
import { noteOnce } from "./memory.js";
import { notice } from "./notice.js";
import { showHistory, showTurn } from "./panel.js";
import { Stage } from "./stage.js";
import { against, begin, follow, sentence, total, warnings, words } from "./turn.js";

const FRAMES_PATIENCE = 1500; // ms that a hit's frames may be late

export class Table {
  constructor(keys) {
    this.keys = keys;
    this.isPlayer = Boolean(keys.play);
    this.api = new Api(keys.tower, keys.play ?? keys.watch);
    this.tower = null;
    this.story = null;
    this.isStriking = false;
    this.isPolling = false;
    this.pending = []; // events that are not shown yet, in order
    this.frames = new Map(); // by the number of their hit
    this.showing = null;
  }

  /** Open the tower; fails with an ApiError if it cannot be. */
  async open() {
    const { api } = this;
    const [tower, events, picture] = await Promise.all([api.tower(), api.events(0), api.picture()]);
    this.tower = tower;
    this.story = begin(tower, events);
    this.noted = noteOnce(`rocktower-commitment-${tower.id}`, tower.commitment);
    this.stage = new Stage(byId("canvas"), {
      onAim: (aim) => this.form.take(aim),
      onStrike: () => this.strike(),
    });
    this.form = new StrikeForm({
      onAim: (aim) => this.stage.setAim(aim),
      onStrike: () => this.strike(),
    });
    this.backForm = new PutBackForm({ onPutBack: (counts) => this.putBack(counts) });
    this.limits = new LimitField(tower.id, { onLimit: () => this.refresh() });
    this.wire();
    this.stage.show(picture, this.story.table);
    if (events.length) byId("said").textContent = say(events.at(-1), this.story);
    this.refresh();
    this.live = new Live(tower.id, api.token, {
      onMessage: (message) => this.hear(message),
      onState: (state) => this.connection(state),
    });
  }

  wire() {
    byId("new-turn").addEventListener("click", () => this.act(() => this.api.newTurn()));
    byId("close-ask").addEventListener("click", () => byId("close-dialog").showModal());
    byId("close-dialog").addEventListener("close", ({ target }) => {
      if (target.returnValue === "close") this.close();
      target.returnValue = "";
    });
    byId("save-log").addEventListener("click", () => this.saveLog());
    byId("skip").addEventListener("click", () => this.stage.skip());
  }

  /** Write everything that is known. */
  refresh() {
    const { story, tower, isPlayer } = this;
    byId("name").textContent = tower.name || "Tower";
    document.title = `${tower.name ? `${tower.name} · ` : ""}Rock Tower`;
    showTurn(story, this.limits.limit);
    showHistory(story);
    showInvite(this.keys, isPlayer);
    this.attempt(() => showFairness(tower, this.noted, () => this.api.log()));
    this.backForm.show(story.outside);
    const isClosed = story.isClosed || tower.status === "closed";
    byId("role").textContent = isClosed ? "closed" : isPlayer ? "player" : "spectator";
    for (const element of document.querySelectorAll("[data-for=player]")) {
      element.hidden = !isPlayer || isClosed;
    }
    byId("watching").hidden = isPlayer || isClosed;
    byId("closed").hidden = !isClosed;
    byId("skip").hidden = !this.stage.isPlaying;
    byId("expires").textContent = new Date(tower.expires).toLocaleString();
    this.form.obstacle = this.obstacle();
    this.stage.enable(isPlayer && !isClosed && !this.stage.isPlaying && !this.isStriking);
  }

  obstacle() {
    if (this.stage.isPlaying) return "The boulders are still falling.";
    if (this.isStriking) return "The blow is on its way.";
    if (total(this.story.inside) === 0) return "The tower is empty: put boulders back first.";
    return "";
  }

  // What comes from the server

  connection(state) {
    const told = { open: "live", waiting: "reconnecting", refused: "not connected" }[state];
    byId("connection").textContent = told;
    byId("connection").dataset.state = state;
    if (state === "refused") this.attempt(async () => this.sync());
    if (state === "waiting") this.poll();
  }

  /** Ask for what has happened, as long as the stream is away or something on the way forbids it. */
  async poll() {
    if (this.isPolling) return;
    this.isPolling = true;
    try {
      await this.sync();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // that there is no connection is said already
    } finally {
      this.isPolling = false;
    }
  }

  hear(message) {
    if (message.type === "tower") this.attempt(async () => this.catchUp(message));
    else if (message.type === "frames") this.receiveFrames(message);
    else if (message.n !== undefined) this.receive(message);
  }

  /** Take a tower as it is now, and the events that it has gone through meanwhile. */
  async catchUp(tower) {
    this.tower = tower;
    if (tower.n > this.known) {
      for (const event of await this.api.events(this.known)) this.receive(event, { isLate: true });
    }
    this.refresh();
  }

  async sync() {
    await this.catchUp(await this.api.tower());
  }

  /** The number of the last event that has come in, shown or not. */
  get known() {
    return this.pending.at(-1)?.event.n ?? this.story.n;
  }

  receive(event, { isLate = false } = {}) {
    if (event.n <= this.known) return;
    if (event.n > this.known + 1) {
      this.attempt(async () => this.sync()); // one was missed: fetch it and all after it
      return;
    }
    this.pending.push({ event, isLate });
    this.showing ??= this.showPending().finally(() => (this.showing = null));
  }

  receiveFrames(message) {
    const waiter = this.frames.get(message.n);
    if (typeof waiter === "function") waiter(message);
    else if (message.n > this.story.n) this.frames.set(message.n, message);
  }

  framesOf(n) {
    const known = this.frames.get(n);
    if (known) return Promise.resolve(known);
    return new Promise((done) => {
      this.frames.set(n, done);
      setTimeout(() => done(null), FRAMES_PATIENCE);
    });
  }

  /** Show what came in, one after the other; a hit with its film. */
  async showPending() {
    while (this.pending.length) {
      const { event, isLate } = this.pending[0];
      const rest = event.type === "hit" && !isLate ? await this.playHit(event) : null;
      this.frames.delete(event.n);
      this.pending.shift();
      this.take(event);
      const moved = event.type === "hit" || event.type === "drop";
      const picture = moved && !rest && !this.pending.length ? await this.fetchPicture() : null;
      const { picture: before } = this.stage;
      this.stage.show(picture ?? { ...before, poses: rest ?? before.poses }, this.story.table);
      this.refresh();
    }
  }

  /** Play a hit's film, for those who want to see things move; return where everything rests. */
  async playHit(event) {
    const frames = await this.framesOf(event.n);
    if (!frames) return null;
    if (moves()) {
      const film = this.stage.play(new Film(frames, event.strike));
      this.refresh();
      await film;
    }
    return frames.poses.at(-1);
  }

  /** The tower at rest; null if it cannot be had now. */
  async fetchPicture() {
    try {
      return await this.api.picture();
    } catch {
      return null;
    }
  }

  take(event) {
    const limit = this.limits.limit;
    const before = against(this.story, limit);
    this.story = follow(this.story, event);
    const warned = warnings(before, against(this.story, limit), limit);
    byId("said").textContent = say(event, this.story);
    byId("warned").textContent = warned.join(" ");
    if (event.type === "close") this.attempt(async () => this.sync());
  }

  // What a player does

  async strike() {
    if (this.obstacle() !== "" || !this.isPlayer) return;
    this.isStriking = true;
    this.refresh();
    await this.act(() => this.api.strike(this.form.aim, this.story.n));
    this.isStriking = false;
    this.refresh();
  }

  async putBack(counts) {
    await this.act(() => this.api.putBack(counts));
    this.backForm.clear();
  }

  async close() {
    await this.attempt(async () => {
      this.tower = await this.api.close();
      await this.sync();
    });
  }

  async saveLog() {
    await this.attempt(async () => saveAs(logName(this.tower), await this.api.log()));
  }

  /** Do something that answers with an event. */
  async act(call) {
    await this.attempt(async () => this.receive(await call()));
  }

  /** Do something; what goes wrong becomes a line on the page. */
  async attempt(call) {
    try {
      await call();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await this.explain(error);
    }
  }

  async explain(error) {
    notice(error.message);
    if (error.code === "conflict") {
      notice("Somebody else was faster, so nothing was done. Look at the tower, then try again.");
      await this.attempt(async () => this.sync());
    } else if (error.status === 403 && this.isPlayer) {
      this.isPlayer = false;
      notice("This link may only watch: striking needs a player link.");
      this.refresh();
    } else if (error.code === "not_found") {
      this.isPlayer = false;
      this.refresh();
    }
  }
}

/** Whether the person wants to see things move, and looks. */
function moves() {
  return !window.matchMedia("(prefers-reduced-motion: reduce)").matches && !document.hidden;
}

function say(event, story) {
  if (event.type === "hit") return sentence(event, story.hits.length);
  if (event.type === "drop") return `Put back: ${words(event.counts)}.`;
  if (event.type === "turn") return `Turn ${story.turn} begins.`;
  return "The tower is closed, and its seed is open to all.";
}
