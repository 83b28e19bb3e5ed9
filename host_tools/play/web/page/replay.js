// A finished game as frames: which line is shown, to whom, and the messages that the table would have sent then.

import {model} from "./model.js";

/** A game as `cardtable view` gives it. `show(index)` puts the table of that frame into the model; 0 is before all. */
export class Replay {
  constructor(data) {
    this.data = data;
    this.index = 0;
    this.states = new Map();
    this.reader = data.readers.includes("all") ? "all" : data.readers[0];
  }

  /** The same game, told with more: its analysis has come. */
  takeIn(data) {
    this.data = data;
    this.states = new Map();
  }

  get frames() {
    return this.data.views[this.reader].frames;
  }

  get frame() {
    return this.index ? this.frames[this.index - 1] : null;
  }

  /** The table behind each frame, made once for each reader; frames share the piles that did not change. */
  statesOf(reader) {
    if (!this.states.has(reader)) {
      const {first, frames} = this.data.views[reader];
      let now = {piles: new Map(), turn: [], refusals: [], lights: [], phase: "play", trump: "", roles: {}};
      this.states.set(reader, [first, ...frames].map((change) => { now = changed(now, change); return now; }));
    }
    return this.states.get(reader);
  }

  /** Put the table as it stands behind frame `index` into the model. */
  show(index) {
    this.index = Math.max(0, Math.min(this.frames.length, index));
    const {data} = this;
    const state = this.statesOf(this.reader)[this.index];
    const over = this.index === this.frames.length && data.is_over;
    model.role = "public";
    model.table = {
      phase: over ? "over" : state.phase, game: data.kind, title: data.title, seats: data.seats, dealer: data.dealer, places: data.places,
      result: over ? data.result : "", records: [], proposals: [], language: data.language,
    };
    model.view = {piles: [...state.piles.values()], turn: state.turn, refusals: state.refusals, notice: "", trump: state.trump, roles: state.roles};
    model.lights = new Map(data.seats.map((seat, at) => {
      const says = state.lights[at] || "off";
      return [seat.place, {place: seat.place, says, rgb: data.colours[says] || [0, 0, 0]}];
    }));
  }

  /** The index of the frame that shows a line of the record, or the last one before it. */
  at(line) {
    let found = 0;
    this.frames.forEach((frame, index) => { if (frame.n <= line) found = index + 1; });
    return found;
  }

  /** The next frame with that mark in one direction; the present one if there is none. */
  next(mark, step) {
    for (let index = this.index + step; index > 0 && index <= this.frames.length; index += step) {
      if (has(this.frames[index - 1], mark)) return index;
    }
    return this.index;
  }

  count(mark) {
    return this.frames.filter((frame) => has(frame, mark)).length;
  }

  /** Look with other eyes, at the same line or the last one before it that these eyes saw. */
  lookAs(reader) {
    if (!this.data.views[reader]) return;
    const line = this.frame ? this.frame.n : 0;
    this.reader = reader;
    this.show(this.at(line));
  }
}

/** Whether a frame is one of those that people jump to; a take may be a mistake, too. `better`: a mistake, or a play that
 * was only perhaps not the best, because chances are rough. */
function has(frame, mark) {
  const {kind} = frame.mistake || {};
  if (mark === "better") return !!kind;
  return frame.mark === mark || !!kind && mark === (kind === "perhaps" ? kind : "mistake");
}

/** The views of a game that came woven together (host_tools/look/bundle.py), each by itself. */
export function unweave({first, rows}, readers) {
  const views = readers.map((name) => ({first: first[name], frames: []}));
  for (const [shared, ...heard] of rows) {
    for (const [index, otherwise, gone] of heard) {
      const frame = {...shared, ...otherwise};
      for (const name of gone) delete frame[name];
      views[index].frames.push(frame);
    }
  }
  return Object.fromEntries(readers.map((name, index) => [name, views[index]]));
}

function changed(before, change) {
  const now = {...before};
  for (const name of ["turn", "refusals", "lights", "phase", "roles", "trump"]) if (name in change) now[name] = change[name];
  if (change.piles || change.gone) {
    now.piles = new Map(before.piles);
    for (const place of change.gone || []) now.piles.delete(place);
    for (const pile of change.piles || []) now.piles.set(pile.place, pile);
  }
  return now;
}

/** `1:04`: minutes and seconds since the game began. */
export function clock(at_ms) {
  const seconds = Math.floor(at_ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
