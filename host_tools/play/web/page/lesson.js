// A first game: what the table's lesson says now, in the place of the screen, and the card or button that it is about.

import {showBubble, point} from "./bubble.js";
import "./lesson_words.js";
import {say} from "./words.js";
import {model} from "./model.js";

let page = null;
let told = null;
let closed = ""; // the lesson that was put away

/** `doers` has stage, act(verb, fields) and redraw. */
export function start(doers) {
  page = doers;
}

export function take(message) {
  if (told && told.name !== message.name) closed = "";
  told = message;
  page.redraw();
}

/** The same seats as in the lesson, for a whole game. */
function playGame() {
  const seats = model.table.seats.map((seat) => ({name: seat.name, who: seat.who}));
  closed = told.name;
  page.act("start", {game: told.game, seats, dealer: seats.length, give_up: true});
}

function close() {
  closed = told.name;
  page.redraw();
}

/** Asked at each drawing. */
export function draw(lay) {
  const shows = told && model.table.lesson && closed !== told.name && model.table.phase !== "lobby" && !document.querySelector('.bubble[data-kind="hint"]:not([hidden])');
  if (!shows) {
    showBubble(page.stage, lay, {kind: "lesson", lines: [], buttons: []});
    if (page.pointed) point();
    page.pointed = false;
    return;
  }
  const lines = [["title", told.steps && !told.done ? say("lessonStep", told.title, `${told.step}/${told.steps}`) : told.title], ["words", told.say]];
  if (told.more) lines.push(["more", told.more]);
  const buttons = told.done ? [["lesson-game", say("lessonGame"), playGame], ["lesson-close", say("lessonClose"), close, true]] : [];
  showBubble(page.stage, lay, {kind: "lesson", lines, buttons});
  point(told);
  page.pointed = true;
}
