// Who comes and who has left: the code of the table, the choice of a seat, late phones, a vote on a lost seat.

import {isServed} from "./wire.js";
import "./coming_words.js";
import {language, say} from "./words.js";
import {awaitedNames, inLobby, isOwn, model} from "./model.js";
import {make, place, renew, set} from "./make.js";

let doers = null;
let code = null;
let asked = false;
let trouble = "";
let watching = false;
// One form for the whole life of the page: text typed into it survives each redraw around it.
const nameField = make("input", {name: "name", required: true, maxlength: 20, autocomplete: "given-name"});
const shown = new Map();

/** `acts` has ask(type, fields), sit(secret), act(verb, fields), redraw(). */
export function startComing(acts) {
  doers = acts;
}

/** Answers to `code`, `open` and `join`; true where the message was one. */
export function takeComing(message) {
  if (message.type === "code" || message.type === "open") {
    if (message.url) code = message;
    trouble = message.why || "";
  } else if (message.type === "join") {
    trouble = message.why || "";
    if (message.secret) doers.sit(message.secret);
  } else {
    if (message.type === "welcome") asked = false; // an answer may have been lost, or the address be another one
    return false;
  }
  doers.redraw();
  return true;
}

/** The code that everybody may use, or in its place why there is none and the button that opens the table. */
export function codeParts() {
  if (!isServed) return [];
  if (!asked && model.open) {
    asked = true;
    doers.ask("code");
  }
  if (!code) return [];
  if (code.closed) {
    return [make("p", {text: say("closedTable")}),
      make("button", {type: "button", class: "plain", "data-act": "open", text: say("openTable"), onclick: () => doers.ask("open")}),
      make("p", {class: "trouble", role: "alert", text: trouble})];
  }
  return [make("img", {class: "code", alt: `QR: ${code.url}`, src: `data:image/svg+xml;utf8,${encodeURIComponent(code.qr)}`}),
    make("p", {text: say(inLobby() ? "codeWhy" : "codeSeat")}),
    make("input", {readonly: true, value: code.url, "aria-label": say("link"), onfocus: (event) => event.target.select()})];
}

/** What the parts that are shown depend on: they are made again only if it has changed. */
export function codeKey() {
  return JSON.stringify([code, trouble, asked, language(), model.open, inLobby()]);
}

function change(box, key, parts) {
  if (shown.get(box) === key) return;
  shown.set(box, key);
  const isTyping = document.activeElement === nameField; // it moves as soon as the parts are made
  renew(box, ...parts());
  if (isTyping && nameField.isConnected) nameField.focus();
}

/** Draw what lies over the table: the choice of a seat, a wrong link, phones that are awaited. */
export function drawComing(box) {
  const kind = kindNow();
  box.hidden = !kind;
  box.className = kind;
  if (!kind) {
    shown.delete(box);
    box.replaceChildren();
    return;
  }
  const {phase, awaited} = model.table;
  const free = freeSeats();
  const key = JSON.stringify([kind, phase, awaited, free, trouble, codeKey()]);
  change(box, key, () => [make("div", {class: "card-panel"}, ...{join: joinParts, wrong: wrongParts, awaited: awaitedParts, seated: seatedParts}[kind](free))]);
}

function kindNow() {
  if (model.role === "join" && !watching) return "join";
  if (model.wrong && model.role === "public" && !watching) return "wrong";
  if (model.role === "seat" && model.table.phase === "lobby") return "seated";
  return awaitedNames() && ["host", "seat"].includes(model.role) ? "awaited" : "";
}

function isFree(seat) {
  return !seat.there && (seat.who === "open" || (seat.who === "phone" && !seat.came));
}

function freeSeats() {
  return model.table.seats.filter(isFree).map(({seat, name}) => ({seat, name}));
}

function watchButton() {
  return make("button", {type: "button", class: "plain", "data-act": "watch", text: say("watch"), onclick: () => {
    watching = true;
    doers.redraw();
  }});
}

function joinParts(free) {
  const alert = make("p", {class: "trouble", role: "alert", text: trouble});
  if (model.table.seats.length) {
    return [make("h2", {text: say(free.length ? "chooseSeat" : "noSeat")}),
      ...free.map(({seat, name}) => make("button", {type: "button", class: "big", "data-act": "sit", "data-seat": seat, text: name, onclick: () => doers.ask("join", {seat})})),
      alert, watchButton()];
  }
  const sit = (event) => {
    event.preventDefault();
    doers.ask("join", {name: nameField.value});
  };
  return [make("form", {onsubmit: sit}, make("label", {}, make("span", {text: say("yourName")}), nameField),
    make("button", {type: "submit", class: "big", "data-act": "sit", text: say("sitDown")})), alert, watchButton()];
}

function wrongParts() {
  return [make("h2", {text: say("wrongLink")}), make("p", {text: say("wrongWhy")}), watchButton()];
}

function seatedParts() {
  return [make("h2", {text: say("seated")})];
}

function awaitedParts() {
  const parts = [make("h2", {text: say("waitingFor", "", awaitedNames())}), make("p", {text: say("waitingWhy")})];
  if (model.role === "host") {
    parts.push(...codeParts(), make("button", {type: "button", class: "plain", "data-act": "begin", text: say("beginWithout"), onclick: () => doers.act("begin")}));
  }
  return parts;
}

/** A seat that was lost, for everybody else who plays. */
function lostSeat() {
  const may = ["host", "seat"].includes(model.role) && model.table.phase === "play";
  return may && model.table.seats.find((seat) => seat.who === "phone" && !seat.there && seat.came && !seat.stands_in && !isOwn(seat.seat));
}

/** What is read aloud of it, or "". */
export function lostWords() {
  const lost = lostSeat();
  return lost ? say("goneOne", "", lost.name) : "";
}

/** On a small stage the vote on a lost seat stands over the cards. */
export function drawVote(box, lay) {
  const lost = lay.compact && lay.middle && lostSeat();
  if (!lost) {
    place(box, null);
    shown.delete(box);
    return;
  }
  const asks = (model.table.proposals || []).includes(lost.seat);
  place(box, {x: lay.middle.x, y: lay.middle.y, w: lay.middle.w});
  change(box, JSON.stringify([lost.seat, lost.name, asks, language()]), () => [
    make("span", {text: say("goneOne", "", lost.name)}),
    make("button", {type: "button", class: "plain", "data-act": asks ? "agree" : "propose", text: say(asks ? "agree" : "letPlay"),
      "aria-label": say("takeOverLong", "", lost.name), onclick: () => doers.act(asks ? "agree" : "propose", {seat: lost.seat})})]);
}

/** In the lobby of the host: the code beside the other ways to begin. */
export function drawLobbyCode() {
  const panel = document.querySelector("#panel.lobby");
  if (!panel || model.role !== "host" || !isServed) return;
  let box = panel.querySelector(".joining");
  if (!box) panel.append(box = make("section", {class: "joining choose"}));
  const parts = codeParts();
  change(box, codeKey(), () => (parts.length ? [make("h2", {text: say(code.closed ? "friends" : "code")}), ...parts] : []));
}

/** This seat is open elsewhere, too: a sentence, or "". */
export function twiceWords() {
  const own = model.role === "seat" && model.table.seats.some((seat) => seat.twice && isOwn(seat.seat));
  return own ? say("twice") : "";
}
