// A hint on demand: what may be played, what to think of, the play. One press each; it closes once something is played.

import {showBubble, point} from "./bubble.js";
import "./lesson_words.js";
import {say} from "./words.js";
import {model} from "./model.js";

let page = null;
let told = null; // the last answer
let step = 0; // how much of it is shown; 0: nothing
let of = ""; // the question that it answers

/** What the seat at the bottom is asked, and all that it can do. */
function question() {
  const can = model.can.get(model.bottom);
  return JSON.stringify([model.bottom, can && can.prompt, can && can.moves]);
}

/** `doers` has stage, ask(type, fields) and redraw. */
export function start(doers) {
  page = doers;
}

/** The button: the first press asks, each further one shows a step more. */
export function press() {
  if (step && of === question()) {
    step = Math.min(3, step + 1);
  } else {
    [told, step, of] = [null, 1, question()];
    page.ask("hint", {seat: model.bottom});
  }
  page.redraw();
}

export function take(message) {
  told = message;
  page.redraw();
}

/** The button, and what a lesson says of a wrong tap: it stands in the same place. */
export function close() {
  step = 0;
  page.redraw();
}

/** Asked at each drawing. What was said of another position is gone. */
export function draw(lay) {
  if (model.table.phase !== "play" || of !== question()) step = 0;
  if (!step) {
    showBubble(page.stage, lay, {kind: "hint", lines: [], buttons: []});
    if (page.pointed) point();
    page.pointed = false;
    return;
  }
  const lines = [["title", say("hintTitle", step)]];
  if (told && told.why) lines.push(["words", told.why]);
  else lines.push(["words", told ? told.ask || say("hintNobody") : say("hintThinking")]);
  if (step > 1) lines.push(...(told && told.think ? told.think : [say("hintThinking")]).map((text) => ["words", text]));
  if (step > 2 && told && told.play) lines.push(["play", told.play]);
  const next = step === 1 ? [["hint-more", say("hintMore"), press]] : step === 2 ? [["hint-play", say("hintPlay"), press]] : [];
  showBubble(page.stage, lay, {kind: "hint", lines, buttons: [...(told && told.why ? [] : next), ["hint-close", say("hintClose"), close, true]]});
  const move = step > 2 && told && told.move;
  if (move || page.pointed) point(move ? {cards: move.card ? [move.card] : [], keys: told.keys || []} : {});
  page.pointed = !!move;
}
