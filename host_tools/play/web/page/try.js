// A moment of a finished game, to be tried again: how often each play comes out well, and the way to the table itself.

import {language, say} from "./words.js";
import {ask, cardOf, startPage} from "./learn.js";
import {drawPosition} from "./position.js";
import {make, renew, set} from "./make.js";

const box = (id) => document.getElementById(id);
const said = new URLSearchParams(location.search);
const name = decodeURIComponent(location.pathname.split("/")[2] || "");
const at = {line: said.get("line") || "1", seat: said.get("seat") || "1"};
let cards = said.get("cards") === "anew" ? "anew" : "lie";
let told = null;
let run = 0; // a question is answered only if nothing else was asked since

async function show(count) {
  const mine = ++run;
  const answer = await ask(`/records/${encodeURIComponent(name)}/try.json`, {...at, cards, count});
  if (mine !== run) return null;
  if (!answer) {
    box("status").textContent = say(told ? "hears" : "tryNone");
    set(document.body, "data-state", "none");
    return null;
  }
  told = answer;
  draw();
  return answer;
}

/** Nothing can be played on from there, and one sentence says why. */
function drawNone() {
  box("ask").replaceChildren(make("p", {class: "facts", text: told.title}), make("p", {"data-why": "", text: told.why}));
  set(document.body, "data-state", "none");
}

function draw() {
  if (!told.plays.length) return drawNone();
  set(box("position"), "data-shape", told.view.piles.some((pile) => pile.kind === "payoff" || pile.kind === "side") ? "malice" : null);
  box("position").replaceChildren(...drawPosition(told.view, told.seat, told.names));
  const runs = told.count > 0;
  box("status").textContent = runs ? say("tryRunning", told.count, told.of) : "";
  const choice = (value, words) => make("label", {class: "option"}, make("input", {type: "radio", name: "cards", value, checked: cards === value, onchange: () => deal(value)}), ` ${say(words)}`);
  const isRunning = runs && told.count < told.of;
  const try_ = make("button", {type: "button", "data-act": "try", "aria-disabled": isRunning ? "true" : null, text: say("tryHow"), onclick: () => isRunning || tryAll()});
  renew(box("ask"),
    make("p", {class: "facts", text: `${told.title} · ${say("tryYou", "", told.names[told.seat - 1])}`}),
    make("ul", {class: "plays"}, ...told.plays.map((play) => tellPlay(play, runs))),
    make("fieldset", {}, choice("lie", "tryLie"), choice("anew", "tryAnew")),
    make("div", {class: "ways"}, make("a", {class: "big", "data-act": "go", href: wayOn(), text: say("tryGo")}), ...(told.why ? [] : [try_])),
    make("p", {class: "facts", text: say("tryCounts")}),
    ...(told.why ? [make("p", {class: "facts", "data-why": "", text: told.why})] : []),
    ...(runs ? [make("p", {class: "facts", text: told.rough || `${told.aim} ${say("tryWhy")}`})] : []));
  set(document.body, "data-state", isRunning ? "running" : runs ? "tried" : "ready");
}

function tellPlay(play, runs) {
  const parts = [make("span", {class: "choice"}, ...play.cards.map(cardOf), make("b", {text: play.text}), ...(play.is_played ? [make("i", {text: say("tryPlayed")})] : []))];
  if (runs && play.rough) parts.push(make("span", {class: "share", text: play.rough}));
  else if (runs) {
    const words = `${say("tryOf", play.good, play.count)} ${say("trySpan", play.low, play.high)}`;
    parts.push(make("span", {class: "share"}, make("meter", {min: 0, max: 100, value: play.share, "aria-label": `${play.text}: ${words}`}), make("span", {"aria-hidden": "true", text: words})));
  }
  return make("li", {"data-played": play.is_played ? "yes" : null, "data-share": runs && !play.rough ? play.share : null}, ...parts);
}

/** To the table, from there and with the cards that are chosen. */
function wayOn() {
  return `/?${new URLSearchParams({from: name, line: told.line, seat: told.seat, cards})}`;
}

function deal(value) {
  cards = value;
  box("ask").querySelector("[data-act=go]").href = wayOn(); // also before the answer comes
  return told.count ? tryAll() : show(0);
}

/** A quarter of them at a time, so that one sees them come. */
async function tryAll() {
  for (let count = 25; count <= told.of; count += 25) if (!(await show(count))) return;
}

startPage("try");
box("ways").append(make("a", {"data-act": "watch", href: `view?language=${language()}#line=${at.line}&as=${at.seat}`, text: say("tryWatch")}));
show(0);
