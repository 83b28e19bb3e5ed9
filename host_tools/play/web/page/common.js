// The page for all: one phone in the middle, at which everybody taps. Buttons of every seat stand around its edge, turned
// to the players. It shows what everybody at the table sees, and no hand.

import {say} from "./words.js";
import {inLobby, model, seatList, waitingWords} from "./model.js";
import {make, renew, set} from "./make.js";

const KEYS = ["OK", "NO", "CALL", "MENU"];
const SIDES = {1: ["south"], 2: ["south", "north"], 3: ["south", "west", "north"], 4: ["south", "west", "north", "east"]};

let page = null;
let shown = "";
let alarmed = []; // refusals that were read aloud: each stands until its seat's next play

function seatPart(doers, seat, side) {
  return make("section", {class: `edge ${side}`, "data-seat": seat.seat, role: "group", "aria-label": seat.nameless ? say("seatOnly", seat.seat) : seat.name},
    make("button", {type: "button", class: "who", "data-act": "touch", text: seat.nameless ? String(seat.seat) : seat.name, onclick: () => doers.act("touch", {seat: seat.seat})}),
    ...KEYS.map((key) => make("button", {type: "button", class: `key key-${key}`, "data-button": key, "data-seat": seat.seat, text: key, onclick: () => doers.act("press", {seat: seat.seat, key})})));
}

/** Why a card or a button was not taken: of each seat until its next play. */
function refusals(seats) {
  return model.view.refusals.map((one) => [seats.find((seat) => seat.seat === one.seat), one.words]).filter(([seat]) => seat)
    .map(([seat, words]) => `${seat.nameless ? say("seatOnly", seat.seat) : seat.name}: ${words}`);
}

/** All of it, made again only when it says something else; the focus stays on its button. `shows`: it lies over everything else now. */
export function drawCommon(shows, doers, told, readerParts, enrolmentParts) {
  if (!page) document.body.append(page = make("section", {id: "common", "aria-label": say("realTitle")}));
  page.hidden = !shows;
  if (!shows) return;
  const seats = inLobby() ? [] : seatList();
  const parts = enrolmentParts();
  const middle = parts || readerParts();
  if (told.alone) middle.push(make("button", {type: "button", class: "plain", "data-act": "common-settings", text: say("settings"), onclick: doers.settings}));
  const touched = seats.find((seat) => seat.seat === told.touched);
  const words = told.cannot ? "" : told.whose ? say("realWhose") : touched ? say("realTouched", "", touched.name) : seats.length ? say("realTouch") : "";
  const refused = refusals(seats);
  const waits = seats.length ? waitingWords() : "";
  const key = JSON.stringify([refused, waits, seats.map((seat) => [seat.seat, seat.name]), words, middle.map((part) => part.outerHTML), model.table.title, model.table.result]);
  if (key !== shown) {
    shown = key;
    const alarm = (text) => make("p", {class: "trouble", role: alarmed.includes(text) ? null : "alert", text});
    renew(page,
      make("section", {class: "centre"}, make("h1", {text: model.table.result || model.table.title || "Cardtable"}), make("p", {class: "waits", text: waits}), ...middle, ...refused.map(alarm), make("p", {class: "whose", role: "status", text: words})),
      ...(SIDES[seats.length] || []).map((side, index) => seatPart(doers, seats[index], side))); // of more it says that it cannot
    alarmed = refused;
  }
  for (const part of page.querySelectorAll(".edge")) {
    const seat = seats.find((one) => one.seat === Number(part.dataset.seat));
    const light = seat && model.lights.get(seat.place);
    set(part, "data-light", light ? light.says : "off");
    set(part.querySelector(".who"), "aria-pressed", String(told.touched === Number(part.dataset.seat)));
  }
}
