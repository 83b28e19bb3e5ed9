// The end of a game: who lost, in words of who reads; what decided it, with a small picture; where to go from there.

import "./ending_words.js";
import {language, say} from "./words.js";
import {model, nameOf} from "./model.js";
import {isRed, pip, speakCard, speakSuit, write as writeCard} from "./cards.js";
import {make, set, write} from "./make.js";
import {get, isServed, linkTo} from "./wire.js";

const AGAIN_MS = 5000; // the line is gone, or the table has too much to work out
const lessons = new Map(); // address: what was answered; null while it is worked out
let acts = null;
let redraw = null;
let parts = null;
let looks = false; // at the last cards
let wants = false; // the next game, once this one is written down

/** `doers` has next and lobby; `draw` shows what has come. */
export function startEnding(doers, draw) {
  acts = doers;
  redraw = draw;
}

/** The seat that reads: the only one that is played here, else 0. */
function ownSeat() {
  const own = model.table.seats.filter((seat) => model.seats.includes(seat.seat));
  return own.length === 1 ? own[0].seat : 0;
}

function viewOf(line, reader) {
  return linkTo(`records/${encodeURIComponent(model.table.record)}/view?language=${language()}#line=${line}&as=${reader || "all"}`);
}

/** Its parts, made once for each end, so that whoever stands on a button keeps it; drawEnding fills them. */
export function makeEnding() {
  const link = (name, words) => make("a", {class: "plain", "data-act": name, text: say(words)});
  looks = wants = false;
  parts = {
    headline: make("p", {class: "headline"}),
    // What decided it comes seconds later: a place that is there before, in which only that sentence is read aloud.
    words: make("p", {role: "status"}),
    lesson: make("section", {class: "lesson", "aria-label": say("whatDecided")}),
    luck: make("section", {class: "luck", "aria-label": say("luckAndPlay"), hidden: true}),
    again: make("button", {type: "button", class: "big", "data-act": "next", onclick: () => { wants = true; redraw(); }}),
    moment: link("moment", "seeMoment"),
    watch: link("watch", "watchGame"),
    retry: link("retry", "tryMoment"),
    look: make("button", {type: "button", class: "plain", "data-act": "look", onclick: () => { looks = !looks; redraw(); }}),
    lobby: make("button", {type: "button", class: "plain", "data-act": "lobby", text: say("newTable"), onclick: () => acts.lobby()}),
    code: make("code"),
  };
  parts.lesson.append(parts.words);
  parts.proof = make("details", {class: "proof"}, make("summary", {text: say("proof")}), make("p", {}, `${say("proofWhy")} `, parts.code));
  parts.box = make("div", {class: "card-panel ending"},
    make("h2", {text: say("over")}), parts.headline, parts.lesson, parts.luck,
    parts.again, make("div", {class: "row ways"}, parts.retry, parts.moment, parts.watch, parts.look, parts.lobby), parts.proof);
  return [parts.box];
}

/** What is known by now. `floor`: how far the own seat reaches up, for the bar that stays while one looks at the table. */
export function drawEnding(panel, floor) {
  const {table} = model;
  const plays = model.role !== "public";
  if (wants && table.closed) {
    wants = false;
    acts.next();
  }
  write(parts.headline, table.ending || table.result);
  write(parts.again, say(wants ? "againSoon" : "again"));
  parts.again.hidden = !plays;
  parts.lobby.hidden = model.role !== "host";
  write(parts.look, say(looks ? "whatDecided" : "lastCards"));
  set(panel, "data-looks", looks ? "yes" : "no");
  panel.style.setProperty("--floor", `${Math.round(floor)}px`);
  write(parts.code, table.digest || "");
  parts.proof.hidden = !table.digest;
  const told = lessonNow();
  drawLesson(told);
  drawLuck(told);
}

/** Luck and the own play, once the lesson has come; each as a bar to the left or right of nothing. */
function drawLuck(told) {
  const {record} = model.table;
  const seat = ownSeat();
  const address = `records/${encodeURIComponent(record || "")}/luck?seat=${seat}&language=${language()}`;
  const wanted = record && seat && isServed && told && told.aim;
  if (wanted && !lessons.has(address)) {
    lessons.set(address, null);
    ask(address);
  }
  const luck = wanted && lessons.get(address);
  const shows = luck && "luck" in luck;
  parts.luck.hidden = !shows;
  if (!shows || parts.luck.dataset.of === address) return;
  parts.luck.dataset.of = address;
  const most = Math.max(100, Math.abs(luck.luck), Math.abs(luck.play));
  const bar = (name, value) => {
    const fill = make("i", {class: value < 0 ? "minus" : "plus"});
    fill.style.width = `${(50 * Math.abs(value)) / most}%`;
    return make("div", {class: "scale", "data-bar": name, "data-points": value}, make("span", {text: say(name)}), make("span", {class: "track"}, fill), make("b", {text: `${value > 0 ? "+" : ""}${value}`.replace("-", "−")}));
  };
  parts.luck.replaceChildren(make("div", {role: "img", "aria-label": luck.words}, bar("luck", luck.luck), bar("ownPlay", luck.play)),
    make("p", {class: "aim", "aria-hidden": "true", text: luck.words}));
}

function lessonNow() {
  const {record} = model.table;
  if (!record) return model.table.closed === undefined ? {words: ""} : null;
  const address = `records/${encodeURIComponent(record)}/lesson?seat=${ownSeat()}&language=${language()}`;
  if (!lessons.has(address)) {
    lessons.set(address, null);
    ask(address);
  }
  return lessons.get(address);
}

/** Nothing where it cannot be told. No answer: while this end is shown it is asked for again. */
async function ask(address) {
  const told = await get(address).then((answer) => (answer.ok ? answer.json() : answer.status === 503 ? null : {words: ""})).catch(() => null);
  if (told) lessons.set(address, told);
  else setTimeout(() => { lessons.delete(address); redraw(); }, AGAIN_MS);
  redraw();
}

function drawLesson(told) {
  const {record} = model.table;
  const moment = told && told.moment;
  set(parts.watch, "href", record ? viewOf(0, ownSeat()) : null);
  parts.watch.hidden = !record;
  parts.moment.hidden = !moment;
  if (moment) set(parts.moment, "href", viewOf(moment.line, moment.seat));
  const own = told && (told.own || moment); // one's own play, where that is another one
  parts.retry.hidden = !own || !isServed;
  if (own) set(parts.retry, "href", linkTo(`records/${encodeURIComponent(record)}/try?language=${language()}&line=${own.line}&seat=${ownSeat() || own.seat}`));
  const key = told ? JSON.stringify([told.words, told.own, told.more]) : "thinking";
  if (parts.lesson.dataset.of === key) return;
  parts.lesson.dataset.of = key;
  for (const old of [...parts.lesson.children]) if (old !== parts.words) old.remove();
  set(parts.words, "class", told ? null : "waits");
  write(parts.words, told ? told.words : say("thinking"));
  parts.lesson.hidden = !parts.words.textContent;
  if (told) parts.lesson.append(...lessonParts(told));
}

function lessonParts(told) {
  const found = [];
  if (told.moment) found.push(drawMoment(told.moment, told.seat), ...(told.aim ? [make("p", {class: "aim", text: told.aim})] : []));
  const tell = (one) => make("p", {}, `${[one.sentence, one.reason].filter(Boolean).join(" ")} `, make("a", {href: viewOf(one.line, one.seat), "data-act": "own", text: say("seeMoment")}));
  if (told.own) found.push(tell(told.own));
  if ((told.more || []).length || (told.moment && told.moment.reason)) {
    found.push(make("details", {class: "proof why"}, make("summary", {text: say("whyMore")}),
      ...(told.moment && told.moment.reason ? [make("p", {class: "reason", text: told.moment.reason})] : []), ...(told.more || []).map(tell)));
  }
  return found;
}

/** The table at that moment, small: the cards that lay there, and the hand of who played. */
function drawMoment(moment, reader) {
  const face = (card) => {
    const mark = moment.cards.includes(card) ? "played" : moment.better_cards.includes(card) ? "better" : "";
    const told = mark ? `${speakCard(card)}, ${say(mark === "played" ? "wasPlayed" : "wasBetter")}` : speakCard(card);
    return make("span", {class: `face${isRed(card) ? " red" : ""}${mark ? ` ${mark}` : ""}`, role: "img", "aria-label": told, text: writeCard(card)});
  };
  const group = (cards) => make("span", {class: "lain"}, ...cards.slice(-6).map(face));
  const covers = new Map(moment.piles.filter((pile) => pile.kind === "cover").map((pile) => [pile.slot, pile.cards]));
  const lying = moment.piles.filter((pile) => pile.kind !== "hand" && pile.kind !== "cover" && pile.cards.length);
  const hand = moment.piles.find((pile) => pile.kind === "hand");
  const bout = lying.map((pile) => group(pile.kind === "attack" ? pile.cards.concat(covers.get(pile.slot) || []) : pile.cards));
  if (moment.trump) bout.push(make("span", {class: "trumps", role: "img", "aria-label": `${say("trump")}: ${speakSuit(moment.trump)}`, text: `${say("trump")} ${pip(moment.trump)}`}));
  const owner = moment.seat === reader ? say("yourCards") : say("cardsOf", "", nameOf(moment.seat));
  return make("figure", {class: "moment"}, make("div", {class: "bout"}, ...bout),
    make("figcaption", {text: owner}), make("div", {class: "held"}, ...(hand ? hand.cards : []).map(face)));
}
