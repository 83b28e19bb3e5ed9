// What the stream's overlay and the big clock know of a table: messages for spectators, kept and counted.

import {Connection} from "./connection.js";
import * as words from "./words.js";
import "./page_words.js";
import "./view_words.js";
import {write as writeCard} from "./cards.js";
import {model, pilesOf, take, trumpSuit} from "./model.js";

export const score = {rows: {}, games: 0};
let begun_ms = 0;
let ended_ms = 0;
let known = 0; // the last line of the feed that was told before this page came: it happened long ago

/** Watch the table, and call `draw` whenever something is new, and once a second. */
export function watch(draw) {
  const hear = (message) => {
    if (message.type === "score") Object.assign(score, message);
    if (message.type === "time") takeTime(message);
    if (message.type === "feed") for (const line of message.lines) if (line.n > known) noteTime(line);
    take(message);
    if (message.type === "welcome" || message.type === "table") words.setLanguage(message.language);
    draw();
  };
  // A stream or a television has no settings: the server says which language its page has (look/watch.py).
  const language = document.documentElement.lang;
  new Connection(hear, (open) => { document.body.dataset.open = open ? "yes" : "no"; }, language);
  setInterval(draw, 1000);
}

function takeTime({at, over, line}) {
  begun_ms = Date.now() - at;
  ended_ms = over ? Date.now() : 0;
  known = line;
}

function noteTime(line) {
  for (const raw of line.raw || []) {
    const found = /^(\d+(?:\.\d+)?) \d/.exec(raw);
    if (found && !begun_ms) begun_ms = Date.now() - 1000 * Number(found[1]);
    if (raw === "cardtable 1") [begun_ms, ended_ms] = [Date.now(), 0];
    if (raw.startsWith("result: ")) ended_ms = Date.now();
  }
}

/** Minutes and seconds since the game began, as long as it goes on. */
export function clockNow() {
  if (!begun_ms || !model.table.seats.length) return "0:00";
  const seconds = Math.max(0, Math.floor(((ended_ms || Date.now()) - begun_ms) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Each seat: name, how many cards, whether it is to play, what was refused. */
export function seatRows() {
  return model.table.seats.map((seat) => ({
    ...seat, count: pilesOf("hand", seat.seat).reduce((sum, pile) => sum + pile.count, 0),
    turn: model.view.turn.includes(seat.seat), refusal: model.view.refusals.find((one) => one.seat === seat.seat),
  }));
}

/** The cards that lie on the table for all, in pairs of what attacks and what covers it, then single piles. */
export function boutWords() {
  const pairs = pilesOf("attack").map((pile) => [pile, pilesOf("cover").find((one) => one.slot === pile.slot)]);
  const rest = ["front", "raise", "centre", "set", "pile"].flatMap((kind) => pilesOf(kind)).map((pile) => [pile, null]);
  return [...pairs, ...rest].map(([pile, cover]) => [cardsOf(pile), cover ? cardsOf(cover) : ""]);
}

function cardsOf(pile) {
  return pile.cards.length ? pile.cards.map(writeCard).join(" ") : words.countCards(pile.count);
}

export {model, trumpSuit, words};
