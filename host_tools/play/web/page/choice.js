// What an own seat chooses by its buttons: its light says that it does, the screen's bottom line what is offered.

import {say} from "./words.js";
import {model, seatOf} from "./model.js";

export const BLINK_MS = 1200; // a light that shone so lately blinks
const armed = new Map(); // seat: the offer that it took, where the screen goes on showing it: it waits for a card

/** {offer} while the seat chooses: "trump", or "" where the screen shows another seat's choice; else null. */
export function choiceOf(number) {
  if (!["deal", "play"].includes(model.table.phase)) return null;
  const {place} = seatOf(number) || {};
  const light = model.lights.get(place);
  const shone = model.shone.get(place);
  if (!light || !shone || shone.says !== "choosing") return null;
  const offer = offerOf(number);
  if (light.says !== "choosing" && (offer === null || Date.now() - shone.at > BLINK_MS)) return null;
  return {offer: offer || ""};
}

/** What the bottom line offers the seat, "" if it offers another one something, null if it offers nothing. */
function offerOf(number) {
  const rows = (model.screen || {}).text || [];
  const found = /^(\d) (.+)\?$/.exec((rows[rows.length - 1] || "").trim());
  if (!found) return null;
  return Number(found[1]) === number ? found[2] : "";
}

/** An own seat presses a button: OK on an offer that stays asks for a card. */
export function notePress(seat, key) {
  const choice = choiceOf(seat);
  if (key === "OK" && choice && choice.offer && !armed.has(seat)) armed.set(seat, choice.offer);
  else armed.delete(seat);
}

function isArmed(seat, choice) {
  if (armed.has(seat) && (!choice || choice.offer !== armed.get(seat))) armed.delete(seat);
  return armed.has(seat);
}

/** The sentence above the hand while the seat chooses, or "". */
export function choiceWords(seat) {
  const choice = choiceOf(seat);
  if (isArmed(seat, choice)) return say("armed", choice.offer);
  return choice ? say(choice.offer ? "offered" : "chooses", choice.offer) : "";
}

/** What a button means while the seat chooses; null while it does not. */
export function choiceKey(seat, key) {
  const choice = choiceOf(seat);
  if (!choice) return null;
  if (key === "OK") return isArmed(seat, choice) ? say("leave") : choice.offer;
  return {NO: say("leave"), MENU: say("step")}[key] || "";
}
