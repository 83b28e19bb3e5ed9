// What fingers and mouse do with cards and tags: a tap, a drag onto a reader, a pile or the felt, a drag away.

import {isOwn, model, seatOf} from "./model.js";
import {meaningOf, shine} from "./drop.js";
import {choiceOf} from "./choice.js";
import {putBack} from "./table.js";

const THRESHOLD = 8;
let acts = null;
let drag = null;
let swallow = false;
let sent = null; // the card that was tapped last

/**
 * `doers` has tap(card), lay(card, reader), lift(reader, card) and tag(name, reader), which take elements' data, and
 * play(seat, move), press(seat, key).
 */
export function startHand(stage, doers) {
  acts = doers;
  stage.addEventListener("pointerdown", begin);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", cancel);
  stage.addEventListener("dragstart", (event) => event.preventDefault());
  stage.addEventListener("click", (event) => {
    if (swallow) {
      swallow = false;
      event.stopPropagation();
      event.preventDefault();
      return;
    }
    const node = event.target.closest(".card, .tag");
    if (send(event, node)) event.stopPropagation();
    else if (node) tap(node);
  }, true);
}

/** A card that was tapped and may mean several things goes to the pile that is clicked next, if that would take it. */
function send(event, node) {
  if (!sent || !choiceOf(sent.seat) || (node && node.classList.contains("own"))) return false;
  const move = meaningOf(sent.seat, sent.card, event.clientX, event.clientY, sent.node);
  if (!move || move === "tap") return false;
  acts.press(sent.seat, "NO"); // the question that the tap has opened
  acts.play(sent.seat, move);
  sent = null;
  shine(0, "");
  return true;
}

/** What a card's element stands for: its name, or the pile whose top card it is. */
export function describe(node) {
  const {card, place, owner, on, tag} = node.dataset;
  if (tag) return {tag};
  const what = card === "back" ? {pile: place} : {card};
  return {...what, reader: on ? Number(on) : 0, owner: owner ? Number(owner) : 0, hidden: card === "back"};
}

/** The seat that plays a card: its owner where that is played here, else the one at the bottom. */
export function seatFor(what) {
  return what.owner && isOwn(what.owner) ? what.owner : model.bottom;
}

export function tap(node) {
  const what = describe(node);
  if (what.tag) acts.choose(node);
  else if (what.reader) acts.lift(what.reader, what.hidden ? null : what.card);
  else {
    acts.tap(what, node);
    sent = what.hidden ? null : {seat: seatFor(what), card: what.card, node};
  }
}

/** While the table asks what a tapped card means, the piles that would take it shine. */
export function drawSent() {
  if (drag) return;
  const asks = sent && choiceOf(sent.seat);
  shine(asks ? sent.seat : 0, asks ? sent.card : "");
}

/** Lay on the own reader, or take away what lies on one. */
export function layOrLift(node) {
  const what = describe(node);
  if (what.tag) acts.choose(node);
  else if (what.reader) acts.lift(what.reader, what.hidden ? null : what.card);
  else acts.lay(what, placeOf(seatFor(what)));
}

export function placeOf(seat) {
  const known = seatOf(seat);
  return known ? known.place : seat;
}

function mayDrag(node) {
  if (model.role === "public") return false;
  const what = describe(node);
  if (what.tag || model.table.free) return true;
  return !what.hidden || !/^hand/.test(what.pile);
}

function begin(event) {
  if (drag && event.isPrimary) finish(); // the end of that one was not heard
  const node = event.target.closest(".card, .tag");
  swallow = false;
  if (!node || event.button || drag || !mayDrag(node)) return;
  drag = {node, id: event.pointerId, x: event.clientX, y: event.clientY, going: false, from: node.style.transform};
}

function move(event) {
  if (!drag || event.pointerId !== drag.id) return;
  if (!event.buttons) return finish(); // it was let go elsewhere
  const dx = event.clientX - drag.x;
  const dy = event.clientY - drag.y;
  if (!drag.going) {
    if (Math.hypot(dx, dy) < THRESHOLD) return;
    drag.going = true;
    drag.node.setPointerCapture(drag.id);
    for (const running of drag.node.getAnimations()) running.cancel();
    drag.node.classList.add("dragged");
    document.body.classList.add("dragging");
    const what = describe(drag.node);
    if (what.card && what.card !== "back" && !what.reader) shine(seatFor(what), what.card);
  }
  const scale = Number(document.body.style.zoom) || 1;
  drag.node.style.transform = `translate(${dx / scale}px, ${dy / scale}px) ${drag.from}`;
  const over = readerAt(event.clientX, event.clientY);
  for (const reader of document.querySelectorAll(".reader.over")) if (reader !== over) reader.classList.remove("over");
  if (over) over.classList.add("over");
}

function readerAt(x, y) {
  return document.elementsFromPoint(x, y).map((element) => element.closest("[data-reader]")).find(Boolean);
}

function end(event) {
  if (!drag || event.pointerId !== drag.id) return;
  const {node, going} = drag;
  finish();
  if (!going) return;
  swallow = true;
  setTimeout(() => { swallow = false; }, 50);
  drop(node, readerAt(event.clientX, event.clientY), event.clientX, event.clientY);
}

function drop(node, reader, x, y) {
  const what = describe(node);
  const target = reader ? Number(reader.dataset.reader) : 0;
  if (what.tag) {
    if (target) acts.tag(what.tag, target);
  } else if (what.reader && what.reader !== target) {
    acts.lift(what.reader, what.hidden ? null : what.card);
    if (target) acts.lay(what, target);
  } else if (target && !what.reader) {
    acts.lay(what, target);
  } else if (!what.reader && !what.hidden) {
    const meant = meaningOf(seatFor(what), what.card, x, y, node);
    if (meant === "tap") tap(node);
    else if (meant) acts.play(seatFor(what), meant);
  }
}

function cancel(event) {
  if (drag && event.pointerId === drag.id) finish();
}

function finish() {
  const {node} = drag;
  drag = null;
  node.classList.remove("dragged");
  document.body.classList.remove("dragging");
  shine(0, "");
  for (const reader of document.querySelectorAll(".reader.over")) reader.classList.remove("over");
  if (node.classList.contains("tag")) node.style.transform = "";
  else putBack(node);
}
