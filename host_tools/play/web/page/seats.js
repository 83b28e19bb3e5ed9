// The seats round the table: name, light, reader, buttons and the last refusal of each.

import {everywhere, say} from "./words.js";
import {awaitedNames, inLobby, isOwn, model, pilesOf, roleOf, seatsAround, waitingWords} from "./model.js";
import {choiceKey, choiceWords} from "./choice.js";
import {keyed, make, place, set, write} from "./make.js";

export const KEYS = ["OK", "NO", "CALL", "MENU"];
export const HOLD_MS = 350; // a button that is down for so long is held
// Lights are told apart by shape, too: the words of the light stand in the accessible name.
const SHAPES = {off: "", turn: "◉", accepted: "✓", choosing: "?", refused: "✕", fault: "!", filling: "◔"};

let hands = null;
const sections = new Map();

/** `doers` are the functions that say acts: press, hold, release, takeOver, agree, rule, seat. */
export function startSeats(doers) {
  hands = doers;
}

/** The element that a seat's cards belong to. */
export function pilesParent(seat) {
  const section = sections.get(seat);
  return section ? section.querySelector(".piles") : null;
}

export function drawSeats(lay) {
  const around = seatsAround();
  const own = lay.own ? around[0] : null;
  const others = (own ? around.slice(1) : around).filter((seat) => lay.seats.has(seat.seat));
  const parent = document.getElementById("seats");
  const made = keyed(parent, others, (seat) => seat.seat, () => makeSeat("section"));
  sections.clear();
  others.forEach((seat, index) => {
    sections.set(seat.seat, made[index]);
    drawSeat(made[index], seat, lay.seats.get(seat.seat), false);
  });
  const mine = document.getElementById("own");
  mine.hidden = !own;
  if (!own) return;
  if (!mine.firstChild) {
    mine.append(...makeSeat("section").childNodes);
    mine.classList.add("seat");
  }
  sections.set(own.seat, mine);
  drawSeat(mine, own, lay.own, true);
}

function makeSeat(tag) {
  const section = make(tag, {class: "seat"},
    make("div", {class: "plate"},
      make("span", {class: "light", role: "img"}, make("i", {"aria-hidden": "true"})),
      make("span", {class: "who"}),
      make("span", {class: "mark"}),
      make("span", {class: "count"}),
      make("span", {class: "says", "aria-hidden": "true"})),
    make("div", {class: "prompt"}, make("p", {class: "ask"}), make("p", {class: "refusal"})),
    make("button", {class: "reader", type: "button"}, make("span")),
    make("div", {class: "piles"}),
    make("div", {class: "keys", role: "group"}));
  section.querySelector(".reader").addEventListener("click", (event) => hands.reader(Number(event.currentTarget.dataset.reader)));
  section.querySelector(".plate").addEventListener("click", (event) => {
    const seat = Number(event.currentTarget.parentElement.dataset.seat); // the own one's parts lie in another section
    if (turns(seat)) hands.bottom(seat);
  });
  return section;
}

/** Whether a press on its plate turns the table: another seat that is played here. */
const turns = (seat) => isOwn(seat) && seat !== model.bottom;

function drawSeat(section, seat, parts, own) {
  const find = (name) => section.querySelector(name);
  set(section, "data-seat", seat.seat);
  set(section, "aria-label", own ? say("own") : seat.nameless ? say("seatOnly", seat.seat) : say("seat", seat.seat, seat.name));
  section.classList.toggle("mine", isOwn(seat.seat));
  section.classList.toggle("gone", !seat.there && seat.who === "phone");
  section.classList.toggle("strip", !!parts.small);
  section.classList.toggle("line", !!parts.line);
  set(section, "data-part", roleOf(seat.seat) || null);
  place(find(".plate"), parts.plate);
  place(find(".reader"), parts.small ? null : parts.reader);
  drawPlate(find(".plate"), seat, own);
  drawReader(find(".reader"), seat);
  drawKeys(find(".keys"), seat, parts, own);
  drawWords(section, seat, parts, own);
}

function drawPlate(plate, seat, own) {
  const light = model.lights.get(seat.place) || {says: "off", rgb: [0, 0, 0]};
  const badge = plate.querySelector(".light");
  const says = say(light.says) || light.says;
  set(badge, "data-light", light.says);
  set(badge, "aria-label", say("light", light.says === "turn" && !own ? say("turnOther") : says, seat.name));
  write(badge.firstChild, SHAPES[light.says] || "");
  const rgb = colour(light.rgb);
  if (badge.style.getPropertyValue("--rgb") !== rgb) badge.style.setProperty("--rgb", rgb);
  write(plate.querySelector(".who"), seat.nameless ? say("seatOnly", seat.seat) : own && everywhere("you").includes(seat.name) ? say("self") : seat.name);
  drawMark(plate.querySelector(".mark"), seat);
  const count = countOf("hand", seat.seat);
  write(plate.querySelector(".count"), count && !own ? String(count) : "");
  set(plate.querySelector(".count"), "data-many", count > 9 && !own ? "yes" : null);
  set(plate.querySelector(".count"), "aria-label", null);
  write(plate.querySelector(".says"), own && light.says !== "off" && !awaitedNames() ? says : "");
  set(plate, "role", turns(seat.seat) && "button");
  set(plate, "tabindex", turns(seat.seat) && "0");
}

function countOf(kind, seat) {
  return pilesOf(kind, seat).reduce((sum, pile) => sum + Math.max(pile.count, pile.cards.length), 0);
}

/** A light's colour as CSS, from three numbers or #rrggbb; the chip's dim colours are shown at full strength. */
function colour(rgb) {
  if (!rgb) return "rgb(0 0 0)";
  const parts = typeof rgb === "string" ? rgb.replace("#", "").match(/../g).map((two) => parseInt(two, 16)) : rgb;
  const most = Math.max(...parts);
  const factor = most ? 255 / most : 0;
  return `rgb(${parts.map((part) => Math.round(part * factor)).join(" ")})`;
}

function drawMark(mark, seat) {
  const role = roleOf(seat.seat);
  const words = role ? [say(role)] : [];
  if (!seat.there && !seat.nameless && seat.who === "phone") words.push(say(seat.came === false ? "late" : "gone"));
  if (seat.twice && model.role === "host") words.push(say("twoPhones"));
  if (model.table.dealer === seat.seat && model.table.phase !== "lobby") words.push(say("dealer"));
  if (seat.stands_in) words.push(say("standsIn"));
  write(mark, words.join(", "));
}

function drawReader(reader, seat) {
  const lying = pilesOf("reader").find((pile) => pile.reader === seat.place);
  set(reader, "data-reader", seat.place);
  set(reader, "aria-label", say("reader", "", seat.nameless ? String(seat.seat) : seat.name) + (lying ? "" : `: ${say("empty")}`));
  const may = model.role !== "public" && (isOwn(seat.seat) || (model.role === "host" && model.table.free));
  reader.tabIndex = may ? 0 : -1;
  reader.disabled = !may;
}

/** What OK, NO, CALL and MENU mean now: an object by key, or a list in that order. */
export function meaningOf(seat, key) {
  const chosen = choiceKey(seat, key);
  if (chosen !== null) return chosen;
  const can = model.can.get(seat);
  if (!can || !can.keys) return "";
  const meaning = Array.isArray(can.keys) ? can.keys[KEYS.indexOf(key)] : can.keys[key];
  return meaning || "";
}

function drawKeys(parent, seat, parts, own) {
  const shown = own || (model.role === "host" && (model.table.free || inLobby()) && !isPhone());
  parent.hidden = !shown;
  if (!shown) {
    parent.replaceChildren();
    return;
  }
  set(parent, "aria-label", seat.name);
  parent.classList.toggle("small", !own);
  place(parent, own ? parts.keys : {x: parts.plate.x + 4, y: parts.plate.y + 84, w: parts.plate.w - 8, h: 28});
  parent.style.setProperty("--columns", own ? parts.keys.columns : 4);
  const made = keyed(parent, KEYS, (key) => key, (key) => makeKey(key, () => Number(parent.parentElement.dataset.seat)));
  KEYS.forEach((key, index) => {
    set(made[index], "data-seat", seat.seat);
    const meaning = own ? meaningOf(seat.seat, key) : "";
    set(made[index], "aria-disabled", own && waits(seat.seat, key) ? "true" : null);
    set(made[index], "data-idle", own && key !== "MENU" && !meaning && idles() ? "yes" : null);
    write(made[index].children[1], meaning);
    set(made[index], "aria-label", own ? `${key}${meaning ? ` ${meaning}` : ""}` : say("button", key, seat.name));
  });
}

/** Whether a key without a meaning looks so: in a game, whose keys say what they mean, and at its end, where the panel leads on. */
function idles() {
  return model.table.phase === "play" || model.table.phase === "over";
}

/** Whether that key of an own seat waits: somebody asks the seat to agree to an undo, and only OK and MENU answer. */
export function waits(seat, key) {
  const can = model.can.get(seat);
  return !!(can && can.asks) && (key === "NO" || key === "CALL");
}

function isPhone() {
  return model.role === "seat";
}

function makeKey(key, seatNow) {
  const button = make("button", {class: `key key-${key}`, type: "button", "data-button": key}, make("b", {text: key}), make("small"));
  let timer = 0;
  let held = false;
  const down = (event) => {
    if (event.button) return;
    held = false;
    clearTimeout(timer);
    timer = setTimeout(() => {
      held = true;
      hands.hold(seatNow(), key);
    }, HOLD_MS);
    button.classList.add("down");
  };
  const up = (press) => {
    if (!button.classList.contains("down")) return;
    clearTimeout(timer);
    button.classList.remove("down");
    if (held) hands.release(seatNow(), key);
    else if (press) hands.press(seatNow(), key);
  };
  button.addEventListener("pointerdown", (event) => {
    down(event);
    button.setPointerCapture(event.pointerId);
  });
  button.addEventListener("pointerup", () => up(true));
  button.addEventListener("pointercancel", () => up(false));
  // A click without a pointer: Enter, Space, a screen reader.
  button.addEventListener("click", (event) => event.detail === 0 && !event.pointerType && hands.press(seatNow(), key));
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  return button;
}

function drawWords(section, seat, parts, own) {
  const box = section.querySelector(".prompt");
  const chosen = own ? choiceWords(seat.seat) : "";
  const can = model.can.get(seat.seat);
  const isAsked = own && can && can.asks; // that comes before the refusal of an earlier play
  const refusal = chosen || parts.small || isAsked ? undefined : model.view.refusals.find((one) => one.seat === seat.seat);
  const left = own && can && can.asks && !chosen ? ` (${say("seconds", can.asks.left_s)})` : "";
  const prompt = chosen || (own && can ? (can.prompt || "") + left : "");
  const isOut = own && roleOf(seat.seat) === "out" && model.table.phase === "play";
  const ask = prompt || (own ? [isOut ? model.view.out : "", waitingWords()].filter(Boolean).join(" ") : "");
  box.classList.toggle("waits", own && !prompt);
  write(box.querySelector(".ask"), ask);
  drawRefusal(box.querySelector(".refusal"), refusal);
  box.classList.toggle("bubble", !own);
  drawProposal(box, seat);
  place(box, own ? parts.prompt : refusal || box.querySelector("[data-act]") ? parts.refusal : null);
}

function drawRefusal(line, refusal) {
  line.hidden = !refusal;
  set(line, "data-refusal", refusal ? refusal.rule : null);
  const key = refusal ? `${refusal.rule}|${refusal.words}|${refusal.near || ""}` : "";
  if (line.dataset.shown === key) return;
  line.dataset.shown = key;
  set(line, "data-again", null);
  line.replaceChildren();
  if (!refusal) return;
  line.append(
    make("span", {class: "cross", "aria-hidden": "true", text: "✕"}), ` ${refusal.words} `,
    make("button", {class: "rule", type: "button", "data-act": "rule", "aria-label": say("rule", refusal.rule), text: refusal.rule, onclick: () => hands.rule(refusal.rule, [refusal.words, refusal.near].filter(Boolean))}),
  );
  if (refusal.near) line.append(make("span", {class: "near", text: refusal.near}));
}

/** The same play was refused again: the line that stands there is shown once more. */
export function flashRefusal(seat) {
  const section = sections.get(seat);
  if (!section) return;
  const line = section.querySelector(".refusal");
  set(line, "data-again", Number(line.dataset.again || 0) + 1);
  line.animate([{opacity: 0.1}, {opacity: 1}], {duration: 280, easing: "ease-out"});
}

/** A seat whose phone is gone: the others may let a virtual player sit down there. */
function drawProposal(box, seat) {
  const asked = (model.table.proposals || []).find((one) => (one.seat || one) === seat.seat);
  const may = model.role !== "public" && !isOwn(seat.seat) && seat.who === "phone" && !seat.there && model.table.phase === "play";
  let button = box.querySelector("[data-act=propose], [data-act=agree]");
  if (!may) {
    if (button) button.remove();
    return;
  }
  if (!button) box.append(button = make("button", {type: "button", class: "plain", onclick: (event) => hands[event.currentTarget.dataset.act](seat.seat)}));
  set(button, "data-act", asked ? "agree" : "propose");
  write(button, asked ? say("agree") : say("takeOver"));
  set(button, "aria-label", `${asked ? `${say("agree")}: ` : ""}${say("takeOverLong", "", seat.name)}`);
}
