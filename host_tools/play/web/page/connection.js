// The connection to the table: one WebSocket, numbered acts, and their repetition after a lost connection.
// It knows nothing of what messages mean, beyond `welcome` and `ack`.

import "./storage.js";
import {openWire} from "./wire.js";

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 1000;
const FULL_WAIT_MS = 5000; // and up to three times as long, where every place for spectators is taken
// An act that is not acknowledged for so long was sent into a connection that is gone.
const SILENCE_MS = 4000;
// The table says something every three seconds: after so long without a word, or without a welcome, the line is dead.
const DEAD_MS = 6300;
// Acts that wait for their ack. A table takes sixty messages at once; hello and questions come beside these.
const MOST_WAITING = 40;
const SERVER_ENDS = 1001;
const TRY_LATER = 1013;
const CLIENT_KEY = "cardtable.client";
const SECRET_KEY = "cardtable.secret";
const WAITING_KEY = "cardtable.waiting";

/** A random name of 24 letters and digits. */
function drawName() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The name under which the table counts this page's acts: kept over a reload, new in a second tab. */
function clientName() {
  const entry = performance.getEntriesByType("navigation")[0];
  const kept = sessionStorage.getItem(CLIENT_KEY);
  if (kept && entry && entry.type === "reload") return kept;
  const name = drawName();
  sessionStorage.setItem(CLIENT_KEY, name);
  sessionStorage.removeItem(WAITING_KEY);
  return name;
}

/** The secret of the link. It leaves the address bar at once: a screen that others see, and the browser's history, do not
 * keep it. This tab keeps it over a reload. */
function takeSecret() {
  const said = location.hash.slice(1);
  if (said) {
    sessionStorage.setItem(SECRET_KEY, said);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return said || sessionStorage.getItem(SECRET_KEY) || "";
}

export class Connection {
  /** `hear(message)` gets every message, `change(open)` every loss and return of the connection. */
  constructor(hear, change, language = "") {
    this.language = language; // which this browser reads
    this.hear = hear;
    this.change = change;
    this.secret = takeSecret();
    this.client = clientName();
    this.waiting = JSON.parse(sessionStorage.getItem(WAITING_KEY) || "[]");
    this.count = this.waiting.length ? this.waiting[this.waiting.length - 1].n : 0;
    this.unsent = 0; // acts that found no place among those that wait
    this.welcomed = false;
    this.wait_ms = FIRST_WAIT_MS;
    this.questions = new Map(); // by their kind: what was asked without a connection
    this.ended = false;
    this.isClosed = false; // the table said that it is closed
    this.isFull = false; // every place for spectators is taken
    this.isPulsed = false; // this table says every few seconds that it is here
    this.timer = 0;
    addEventListener("online", () => this.hurry());
    addEventListener("hashchange", () => location.hash && location.reload()); // another link in the same tab
    document.addEventListener("visibilitychange", () => document.hidden || this.hurry());
    setInterval(() => this.look(), 500);
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const socket = openWire(this.secret);
    this.socket = socket;
    this.heard = Date.now();
    socket.onopen = () => {
      this.since = Date.now(); // what was said before it opened has swallowed nothing
      socket.send(JSON.stringify({type: "hello", secret: this.secret, client: this.client, language: this.language}));
    };
    socket.onmessage = (event) => this.socket === socket && this.take(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      if (event.code === SERVER_ENDS) this.isClosed = true; // till it is back: each try in vain ends otherwise
      this.isFull = event.code === TRY_LATER;
      if (this.isFull) this.wait_ms = FULL_WAIT_MS * (1 + 2 * Math.random()); // not all at once
      this.lose();
    };
  }

  take(message) {
    this.heard = Date.now();
    if (message.type === "here") this.isPulsed = true;
    if (message.type === "welcome") {
      this.wait_ms = FIRST_WAIT_MS;
      this.isFull = this.isClosed = false;
      this.settle(message.done);
      this.count = Math.max(this.count, message.done);
      this.welcomed = true;
      for (const one of [...this.waiting, ...this.questions.values()]) this.send(one);
      this.questions.clear();
      this.change(true);
      this.unsent = 0;
    } else if (message.type === "ack") {
      this.settle(message.n);
    }
    this.hear(message);
  }

  /** The last act that the table has taken, or refused. */
  get done() {
    return this.waiting.length ? this.waiting[0].n - 1 : this.count;
  }

  /** Forget the acts up to number `done`: the table has them. */
  settle(done) {
    this.waiting = this.waiting.filter((act) => act.n > done);
    this.since = Date.now();
    this.keep();
  }

  keep() {
    sessionStorage.setItem(WAITING_KEY, JSON.stringify(this.waiting));
  }

  lose() {
    this.welcomed = false;
    this.socket = null;
    this.change(false);
    if (this.ended) return;
    this.timer = setTimeout(() => this.open(), this.wait_ms);
    this.wait_ms = Math.min(LONGEST_WAIT_MS, this.wait_ms * 1.6);
  }

  /** Come back as somebody else: with the secret of the seat that was chosen. */
  sit(secret) {
    sessionStorage.setItem(SECRET_KEY, secret);
    this.secret = secret;
    const {socket} = this;
    this.welcomed = false;
    this.open(); // nothing is lost: the new line takes the place of the old one
    if (socket) socket.close();
  }

  /** Try again now: the network, or the person, is back. */
  hurry() {
    if (!this.socket && !this.ended) this.open();
  }

  /** Leave a connection that swallows acts, or on which nothing comes any more. */
  look() {
    if (!this.socket || this.socket.isComing) return;
    const isDeaf = this.welcomed && this.waiting.length && Date.now() - this.since > SILENCE_MS;
    const isDead = (this.isPulsed || !this.welcomed) && Date.now() - this.heard > DEAD_MS;
    if (isDeaf || isDead) {
      const socket = this.socket;
      this.lose();
      socket.close();
    }
  }

  send(message) {
    this.socket.send(JSON.stringify(message));
  }

  /** Say an act, now or when the connection is back; returns its number, 0 where too many wait: it is not said. */
  act(verb, fields = {}) {
    // A button that went down has to come up, and its table has to hear of a page that begins to read.
    if (this.waiting.length >= MOST_WAITING && verb !== "release" && !fields.kind) {
      this.unsent += 1;
      return 0;
    }
    this.count += 1;
    const act = {type: "act", n: this.count, do: verb, ...fields};
    if (!this.waiting.length) this.since = Date.now();
    this.waiting.push(act);
    this.keep();
    if (this.welcomed) this.send(act);
    return act.n;
  }

  /** Ask something that changes nothing, now or when the connection is back. */
  ask(type, fields = {}) {
    if (this.welcomed) this.send({type, ...fields});
    else this.questions.set(type, {type, ...fields});
  }
}
