// The keyboard: arrows among cards, Enter taps, letters for the four buttons and the page's switches.

import {cardNodes} from "./table.js";
import {layOrLift} from "./hand.js";
import {model} from "./model.js";
import {HOLD_MS} from "./seats.js";

const BUTTONS = {o: "OK", n: "NO", c: "CALL", m: "MENU", щ: "OK", т: "NO", с: "CALL", ь: "MENU"};
const SWITCHES = {l: "moves", д: "moves", f: "free", а: "free", s: "mute", ы: "mute", p: "turn", з: "turn", "?": "help", ",": "help"};

/** `doers` has hold, release, press and a function for each switch. */
export function startKeys(doers) {
  const down = new Map();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return;
    const key = event.key.toLowerCase();
    if (document.querySelector("dialog[open]")) return;
    if (BUTTONS[key]) {
      if (!event.repeat && model.bottom) press(doers, down, key);
    } else if (SWITCHES[key]) {
      if (!event.repeat) doers[SWITCHES[key]]();
    } else if (key === " " && event.target.matches(".card, .tag")) {
      if (!event.repeat) layOrLift(event.target);
    } else if ((key === " " || key === "enter") && event.target.matches("[role=button]")) {
      event.target.click(); // the plate of another own seat; a card or a key is a button by itself
    } else if (!step(event.key)) {
      return;
    }
    event.preventDefault();
  });
  addEventListener("keyup", (event) => {
    const key = event.key.toLowerCase();
    if (down.has(key)) lift(doers, down, key);
    // Space lays a card; the button's own click, which would tap it, is not wanted.
    if (key === " " && event.target.matches && event.target.matches(".card, .tag")) event.preventDefault();
  });
  addEventListener("blur", () => { for (const key of down.keys()) lift(doers, down, key); });
}

function press(doers, down, key) {
  const own = document.getElementById("own");
  if (!own.checkVisibility({visibilityProperty: true})) return; // such as in a lobby in which the table's own is not open
  const state = {seat: model.bottom, held: false};
  state.timer = setTimeout(() => {
    state.held = true;
    doers.hold(state.seat, BUTTONS[key]);
  }, HOLD_MS);
  down.set(key, state);
}

function lift(doers, down, key) {
  const state = down.get(key);
  down.delete(key);
  clearTimeout(state.timer);
  if (state.held) doers.release(state.seat, BUTTONS[key]);
  else doers.press(state.seat, BUTTONS[key]);
}

function isTyping(target) {
  return target instanceof Element && target.matches("input, select, textarea");
}

/** Cards in the order of the eye: rows from the top, left to right. */
function ordered(nodes) {
  const box = new Map(nodes.map((node) => [node, node.getBoundingClientRect()]));
  return nodes.sort((a, b) => {
    const [one, two] = [box.get(a), box.get(b)];
    return Math.abs(one.top - two.top) > one.height / 3 ? one.top - two.top : one.left - two.left;
  });
}

function step(key) {
  const steps = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: "up", ArrowDown: "down"};
  if (!(key in steps)) return false;
  const cards = cardNodes().filter((node) => node.tagName === "BUTTON");
  const own = ordered(cards.filter((node) => node.classList.contains("own")));
  const rest = ordered(cards.filter((node) => !node.classList.contains("own")));
  const now = document.activeElement;
  let list = rest.includes(now) ? rest : own;
  if (steps[key] === "up" || steps[key] === "down") {
    list = steps[key] === "up" ? rest : own;
    if (list.length) (list.find((node) => "last" in node.dataset) || list[0]).focus();
    return true;
  }
  if (!list.length) list = rest;
  if (!list.length) return true;
  const at = list.indexOf(now);
  const next = at < 0 ? (steps[key] > 0 ? 0 : list.length - 1) : (at + steps[key] + list.length) % list.length;
  list[next].focus();
  return true;
}

/** One card of the hand can be reached with Tab: the one chosen last, else the first. */
export function tabStop() {
  const own = cardNodes().filter((node) => node.classList.contains("own") && node.tagName === "BUTTON");
  const chosen = own.includes(document.activeElement) ? document.activeElement : own[0];
  for (const node of cardNodes()) if (node.tagName === "BUTTON") node.tabIndex = node === chosen ? 0 : -1;
}
