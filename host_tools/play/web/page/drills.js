// Drills: a minute of questions about moments of finished games; how many were right is kept in this browser.

import {say} from "./words.js";
import {ask, cardOf, keep, startPage} from "./learn.js";
import {drawPosition} from "./position.js";
import {isCard, write as writeCard} from "./cards.js";
import {make, renew, set, write} from "./make.js";

const MINUTE_S = 60;
const SHOW_MS = 1200; // how long the answer stands
const KEPT = 100; // minutes
let drills = [];
let seed = Math.floor(Math.random() * 1000);
let left = 0;
let right = 0;
let asked = 0;
let clock = 0;
let timer = 0; // to the next question
let chosen = new Set();

const box = (id) => document.getElementById(id);
const written = (choice) => (isCard(choice) ? writeCard(choice) : choice);

function state(name) {
  set(document.body, "data-state", name);
}

function rest(words = "") {
  const minutes = keep("drills") || [];
  box("position").replaceChildren();
  box("position").hidden = true;
  set(box("status"), "aria-live", null);
  write(box("status"), words);
  renew(box("ask"), make("p", {text: say("drillWhy")}), make("button", {type: "button", class: "big", "data-act": "start", text: say("startDrill"), onclick: begin}), ...(minutes.length > 1 ? [curve(minutes)] : []));
  state("ready");
}

/** Right answers of each minute, oldest first, as bars. */
function curve(minutes) {
  const most = Math.max(1, ...minutes.map((one) => one.right));
  const shown = minutes.slice(-30);
  const bars = shown.map((one) => make("span", {class: `bar h${Math.round((10 * one.right) / most)}`, title: `${one.at}: ${one.right} / ${one.asked}`}));
  return make("figure", {class: "row"}, make("figcaption", {text: say("drillCurve", shown.at(-1).right, most)}), make("div", {class: "curve", role: "img", "aria-label": shown.map((one) => one.right).join(", ")}, ...bars),
    make("figcaption", {text: `${shown[0].at} – ${shown.at(-1).at}`}));
}

async function begin() {
  clearTimeout(timer);
  state("loading");
  left = MINUTE_S;
  right = asked = 0;
  if (!(await fetchMore())) {
    rest(say("noDrill"));
    return;
  }
  box("position").hidden = false;
  set(box("status"), "aria-live", "off"); // else it is read aloud each second
  clearInterval(clock);
  clock = setInterval(tick, 1000);
  pose();
}

async function fetchMore() {
  seed = (seed + 1) % 1000;
  drills = ((await ask("/drills.json", {seed})) || {drills: []}).drills;
  return drills.length > 0;
}

function tick() {
  left -= 1;
  tellTime();
  if (left > 0) return;
  clearInterval(clock);
  const minutes = [...(keep("drills") || []), {at: new Date().toISOString().slice(0, 10), right, asked}].slice(-KEPT);
  keep("drills", minutes);
  rest(say("drillDone", right, asked));
}

function tellTime() {
  box("status").textContent = `${say("timeLeft", Math.max(0, left))} · ${right} / ${asked}`;
}

async function pose() {
  if (left <= 0) return;
  const isAnswered = drills.length > 0 || await fetchMore();
  if (left <= 0) return;
  if (!isAnswered) {
    timer = setTimeout(pose, SHOW_MS); // the line is gone: the minute runs on
    return;
  }
  const drill = drills[0];
  chosen = new Set();
  const needed = drill.answer.length;
  box("position").replaceChildren(...drawPosition(drill.view, drill.seat, drill.names));
  const choices = drill.choices.map((choice) => make("button", {type: "button", "data-choice": choice, "aria-pressed": "false", onclick: (event) => choose(event.currentTarget, choice, needed)},
    ...(isCard(choice) ? [cardOf(choice)] : [make("span", {text: choice})])));
  renew(box("ask"), make("p", {class: "facts", text: `${drill.game} · ${say("seatOf", "", drill.names[drill.seat - 1])}`}), make("h2", {text: drill.question}), make("div", {class: "choices few", role: "group", "aria-label": drill.question}, ...choices));
  tellTime();
  state("question");
}

function choose(button, choice, needed) {
  if (document.body.dataset.state !== "question") return;
  if (chosen.has(choice)) chosen.delete(choice);
  else chosen.add(choice);
  set(button, "aria-pressed", chosen.has(choice) ? "true" : "false");
  if (chosen.size === needed) answer();
}

function answer() {
  const drill = drills.shift();
  const isRight = drill.answer.every((one) => chosen.has(one));
  asked += 1;
  right += isRight ? 1 : 0;
  const words = isRight ? say("drillRight") : say("drillWrong", drill.answer.map(written).join(" "));
  box("ask").append(make("div", {role: "alert"}, make("h2", {class: isRight ? "right" : "wrong", text: words})), ...(drill.facts ? [make("p", {class: "facts", text: drill.facts})] : []));
  tellTime();
  state("answered");
  timer = setTimeout(pose, SHOW_MS);
}

startPage("drills");
rest();
