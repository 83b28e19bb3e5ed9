// Real cards: this page as a reader, the deck that it registers, and for the host who reads where. Loaded only at a table
// whose cards are real.

import "./real_words.js";
import {language, say} from "./words.js";
import {isOwn, model, nameOf} from "./model.js";
import {make, place, renew, set} from "./make.js";
import {speakCard} from "./cards.js";
import {startNfc, startTyped, stopNfc, stopTyped, whyNot, writeNfc} from "./nfc.js";
import {drawCommon} from "./common.js";

const SIZES = [36, 52, 54, 108];
const WRITE_MS = 1500; // a table has written a tag by then
const FAILURES = {NotAllowedError: "realRefused", NotReadableError: "realOff", NotSupportedError: "realNoNfc"};
const TROUBLES = {unreadable: "realUnreadable", hidden: "realHidden", unwritten: "realNotWritten"};
const CANNOT = {began: "realBegan", "face-down": "realFaceDown", seats: "realFour"};
const STATES = {floods: "realFloods", barred: "realBarred", lost: "realLost", silent: "realSilent"};

let doers = null;
let told = {readers: [], barred: [], enrolment: null};
let link = null; // of the page for all
let reading = ""; // nfc, keys, or nothing
let trouble = "";
let begun = 0; // the act that began it
let showsHand = false;
let shone = "";
const chosen = {}; // of the deck that is registered: how many cards, and which reader; readers and taps change meanwhile
const box = make("section", {id: "real"});
const shown = new Map();

/** `acts` has act(verb, fields), ask(type), redraw(), settings(), stage. */
export function startReal(acts) {
  doers = acts;
  document.head.append(make("link", {rel: "stylesheet", href: "real.css"}));
  acts.stage.append(box);
}

/** What the table says of readers, and what a tag shall say. */
export function hear(message) {
  if (message.type === "readers") {
    if (reading === "nfc" && leftOf(message) < leftOf(told)) {
      clearTimeout(shaking);
      shaking = setTimeout(shake, WRITE_MS); // a tag that nobody writes
    }
    told = message;
  }
  if (message.type === "common" && message.url) link = message;
  if (message.type === "write") writeNfc(message.uid, message.text).then((done) => { trouble = done ? "" : "realNotWritten"; shake(); doers.redraw(); });
  if (message.type === "ack" && message.n === begun && !message.ok) {
    stop();
    trouble = told.barred.includes(seat()) ? "realBarred" : "realTaken";
  }
  doers.redraw();
}

/** Whether this page reads for everybody: the page for all, or the only page of a table that lives in a phone. */
const forAll = () => model.role === "common" || !!told.alone;

const leftOf = (message) => (message.enrolment || {left: 0}).left;

/** The card that is being registered may go: its name is on the tag, or nobody writes it. */
function shake() {
  const left = leftOf(told);
  if (told.enrolment && left !== shaken && navigator.vibrate) navigator.vibrate(60);
  shaken = left;
}
let shaken = -1;
let shaking = 0;

/** The seat for which this page reads; 0: all. */
const seat = () => (forAll() ? 0 : model.bottom);
const own = () => told.readers.find((one) => one.seat === seat() && one.kind);

async function begin(kind) {
  trouble = "";
  const tell = {
    read: (uid, text) => {
      trouble = "";
      doers.act("read", {seat: seat(), uid, text});
    },
    trouble: (name) => {
      trouble = TROUBLES[name] || (trouble === "realHidden" ? trouble : "");
      doers.act("reader", {seat: seat(), on: true, trouble: name});
    },
  };
  try {
    if (kind === "keys") startTyped(tell);
    else await startNfc(tell);
    reading = kind;
    begunAgain = true; // until the table has heard it
    begun = doers.act("reader", {seat: seat(), on: true, kind});
  } catch (error) {
    if (error.name !== "AbortError") trouble = FAILURES[error.name] || "realNoNfc"; // given up for another press
  }
  doers.redraw();
}

function stop() {
  if (reading === "keys") {
    stopTyped();
    document.activeElement.blur(); // the reader goes on typing: its Enter would press the button that comes next
  } else {
    stopNfc();
  }
  reading = "";
}

function end() {
  stop();
  doers.act("reader", {seat: seat(), on: false});
}

/** The table has forgotten that this page reads: the connection was lost, or the host threw it out and lets it read again. */
function resume() {
  const mine = own();
  const isGone = mine ? mine.state === "lost" : !told.barred.includes(seat());
  if (reading && model.open && isGone && !begunAgain) {
    begunAgain = true;
    begun = doers.act("reader", {seat: seat(), on: true, kind: reading});
  } else if (mine && mine.state === "reads") {
    begunAgain = false;
  }
}
let begunAgain = false;

function change(element, key, parts) {
  if (shown.get(element) === key) return;
  shown.set(element, key);
  renew(element, ...parts());
}

const button = (act, text, onclick, kind = "plain") => make("button", {type: "button", class: kind, "data-act": act, text, onclick});
const face = (card, kind = "") => make("img", {class: `pic ${kind}`, src: `cards/${card.slice(0, 2)}.svg`, alt: speakCard(card), "data-next": card});

// --- this page as a reader ---

/** What is wrong with a tag at that reader, or with its page; or "". */
function whyNotRead(one) {
  if (one.why === "hidden") return say("realAway");
  if (one.kind === "usb" && one.why === "unreadable") return say("realLayAgain");
  return TROUBLES[one.why] ? say(TROUBLES[one.why]) : "";
}

/** The sentence about this reader, or "". */
function sentence() {
  const mine = own();
  if (trouble) return say(trouble);
  if (!reading && mine && mine.state === "reads") return whyNotRead(mine);
  return mine && STATES[mine.state] && (reading || mine.state !== "lost") ? say(STATES[mine.state]) : "";
}

export function readerParts() {
  const why = whyNot();
  const parts = [];
  const mine = own();
  if (forAll() && told.cannot) return [make("p", {class: "why", "data-why": told.cannot, text: say(CANNOT[told.cannot])})];
  if (told.asks === seat() && !reading) parts.push(make("p", {class: "tap", "data-asks": seat(), text: say(seat() ? "realAsksHere" : "realAsksMiddle")}));
  if (mine && mine.kind === "usb" && mine.state !== "lost") {
    parts.push(make("p", {class: "tap", text: say("realTapTyped")}));
  } else if (reading) {
    parts.push(make("p", {class: "tap", text: say(reading === "keys" ? "realTapTyped" : "realTap")}), button("stop-reading", say("realStop"), end));
  } else {
    if (why) parts.push(make("p", {class: "why", "data-why": why, text: say({none: "realNone", plain: "realPlain", iphone: "realIphone"}[why])}));
    else parts.push(button("read-cards", say("realRead"), () => begin("nfc"), "big"));
    if (why !== "iphone" && !forAll()) parts.push(button("read-keys", say("realTyped"), () => begin("keys")));
  }
  const words = sentence();
  if (words) parts.push(make("p", {class: "trouble", role: "alert", text: words}));
  return parts;
}

/** Before the game a seat's page says that somebody sits there. */
function seatedPart() {
  return model.table.phase === "lobby" ? [make("p", {text: say("seated")})] : [];
}

function handPart() {
  if (model.role !== "seat" || !["deal", "play"].includes(model.table.phase)) return [];
  return [button("show-hand", say(showsHand ? "realHide" : "realHand"), () => { showsHand = !showsHand; doers.redraw(); })];
}

export function enrolmentParts() {
  const one = told.enrolment;
  if (!one || one.seat !== seat() && model.role !== "host") return null;
  if (one.failed) return [make("p", {class: "trouble", role: "alert", text: say("realFailed")}), button("end-enrolment", say("realLater"), () => doers.act("end_enrolment"))];
  if (!one.open) return [make("p", {text: say("realOpening")})];
  const progress = make("progress", {max: one.size, value: one.size - one.left, "aria-label": say("realLeft", one.left)});
  const cards = one.next.length ? [make("h2", {text: say("realNext")}), make("div", {class: "nextcards"}, face(one.next[0], "now"),
    ...(one.next.length > 1 ? [make("span", {text: say("realThen")})] : []), ...one.next.slice(1).map((card) => face(card)))] : [make("h2", {text: say("realDone")})];
  if (reading === "nfc" && one.left) cards.push(make("p", {text: say("realShakes")}));
  const buttons = [button("end-enrolment", say(one.left ? "realLater" : "realDone"), () => doers.act("end_enrolment"), one.left ? "plain" : "big")];
  if (one.undo) buttons.unshift(button("take-back", say("realUndo"), () => doers.act("take_back")));
  return [...cards, make("p", {class: "togo", "data-left": one.left}, progress, ` ${say("realLeft", one.left)}`), make("div", {class: "row"}, ...buttons)];
}

/** Green and red can be felt. */
function feel() {
  const light = model.lights.get((model.table.seats.find((one) => one.seat === seat()) || {}).place || seat()) || {says: ""};
  if (reading && !told.enrolment && light.says !== shone && navigator.vibrate && navigator.userActivation && navigator.userActivation.hasBeenActive) {
    if (light.says === "accepted") navigator.vibrate(60);
    if (light.says === "refused") navigator.vibrate([90, 60, 90]);
  }
  shone = light.says;
  return light.says;
}

export function draw(lay) {
  resume();
  document.body.classList.add("real");
  document.body.classList.toggle("showhand", showsHand || model.role !== "seat");
  const {phase, closed} = model.table;
  const isMiddle = model.role === "common" || told.alone && (["deal", "play"].includes(phase) || phase === "over" && !closed);
  if (forAll()) drawCommon(isMiddle, doers, told, readerParts, enrolmentParts);
  if (model.role === "host") drawHost();
  if (forAll()) return place(box, null);
  const light = feel();
  const isIn = ["lobby", "deal", "play"].includes(model.table.phase);
  const may = isIn && (model.role === "seat" || model.role === "host" && seat() && model.table.phase !== "lobby" && isOwn(seat()) && model.seats.length);
  if (!may) return place(box, null);
  set(box, "data-light", light);
  set(box, "data-reading", reading || "no");
  change(box, JSON.stringify([reading, trouble, own(), told.enrolment, showsHand, phase, language()]), () => [...(enrolmentParts() || seatedPart()), ...readerParts(), ...handPart()]);
  box.className = phase === "lobby" ? "low" : showsHand ? "strip" : "hand";
  if (phase === "lobby" || !lay.own || !lay.own.hand) {
    place(box, {x: 0, y: 0});
    box.style.transform = "";
    box.style.height = box.style.width = "";
    return undefined;
  }
  const hand = lay.own.hand;
  return place(box, showsHand ? {x: hand.x, y: hand.y - 46, w: hand.w, h: 44} : {x: hand.x, y: hand.y, w: hand.w, h: Math.max(hand.h, 120)});
}

// --- the host ---

function drawHost() {
  const panel = document.querySelector("#panel.lobby .left");
  if (!panel) return;
  let part = panel.querySelector(".realhost");
  if (!part) panel.append(part = make("section", {class: "realhost"}));
  change(part, JSON.stringify([told, link, language(), names(), reading, trouble]), hostParts);
}

const names = () => Object.values(model.table.guests || {}).concat(model.table.seats.map((one) => one.name));
const whose = (number) => (number ? (model.table.guests || {})[number] || (model.table.seats.length ? nameOf(number) : say("seatOnly", number)) : say("realForAll"));

export function hostParts() {
  const rows = told.readers.map((one) => make("li", {"data-reads": one.seat, "data-state": one.state},
    make("span", {text: `${whose(one.seat)}: ${say(`realKind${one.kind}`)}${one.name ? ` ${one.name}` : ""}, ${STATES[one.state] ? say(STATES[one.state]) : say("realReads")} · ${say("realTaps", one.taps)}`}),
    ...(whyNotRead(one) ? [make("span", {class: "trouble", text: whyNotRead(one)})] : []),
    button(one.state === "barred" ? "allow" : "throw-out", say(one.state === "barred" ? "realAllow" : "realThrow"), () => doers.act("bar", {seat: one.seat, on: one.state !== "barred"}))));
  if (told.alone) return [make("h2", {text: say("realTitle")}), make("p", {text: say("realAlone")}), ...(enrolmentParts() || (reading ? deckParts([{seat: 0}]) : [])), ...readerParts()];
  const parts = [make("h2", {text: say("realTitle")}), make("h3", {text: say("realWho")}), rows.length ? make("ul", {class: "readers"}, ...rows) : make("p", {text: say("realNobody")})];
  if (told.asks !== null && told.asks !== undefined) parts.push(make("p", {class: "asks", "data-asks": told.asks, role: "status", text: say("realAsks", "", whose(told.asks))}));
  if (told.usb) parts.push(button("learn-readers", say("realLearn"), () => doers.act("learn_readers")));
  const able = told.readers.filter((one) => one.state === "reads");
  if (told.enrolment) parts.push(...enrolmentParts());
  else if (able.length) parts.push(...deckParts(able));
  const common = make("input", {type: "checkbox", name: "common", onchange: (event) => { doers.act("share", {on: event.target.checked}); doers.ask("common"); }});
  common.checked = !!told.common;
  parts.push(make("label", {class: "check"}, common, say("realCommon")), make("p", {text: say("realCommonWhy")}));
  if (told.common && link) parts.push(make("p", {text: say("realCommonLink")}), make("img", {class: "qr", alt: link.url, src: `data:image/svg+xml,${encodeURIComponent(link.qr)}`, hidden: !link.qr}), make("p", {class: "url", text: link.url}));
  return parts;
}

function choice(name, label, options) {
  const list = make("select", {name, "aria-label": label, onchange: () => { chosen[name] = list.value; }},
    ...options.map(([value, text]) => make("option", {value, text, selected: String(value) === chosen[name]})));
  return list;
}

function deckParts(able) {
  const size = choice("size", say("realDeck"), SIZES.map((one) => [one, say("realCards", one)]));
  const by = choice("by", say("realBy"), able.map((one) => [one.seat, whose(one.seat)]));
  return [make("h3", {text: say("realDeck")}), make("p", {text: say("realDeckWhy")}), make("div", {class: "row"}, size, told.alone ? "" : by,
    button("enrol", say("realBegin"), () => doers.act("enrol", {seat: Number(by.value), size: Number(size.value)})))];
}
