// What lies over the table between games: the lobby, a game's end, a table that is off, starting or stopped.

import {language, say} from "./words.js";
import {model} from "./model.js";
import {makeLobby} from "./lobby.js";
import {Later} from "./later.js";
import {make, renew, write} from "./make.js";

let acts = null;
let redraw = null;
let shown = "";
let shownKind = "";
const ending = new Later(() => import("./ending.js"), (one) => one.startEnding(acts, redraw));

/** `doers` has next, lobby and power; `draw` shows what has come. */
export function startPanel(doers, draw) {
  acts = doers;
  redraw = draw;
}

/** The message of the panel, drawn again only when it says something else. `floor`: how far the own seat reaches up. */
export function drawPanel(panel, floor) {
  const {phase} = model.table;
  const kind = kindNow(phase);
  if (kind === "over" && !ending.now) return ending.use(redraw);
  const key = [kind, language(), kind === "lobby" ? JSON.stringify([model.choices || 0, model.table.guests || {}]) : "", model.table.result].join("|");
  panel.hidden = !kind;
  panel.className = kind;
  if (key !== shown) {
    shown = key;
    if (kind === shownKind) renew(panel, ...partsOf(kind)); // somebody sat down while the host typed
    else panel.replaceChildren(...partsOf(kind));
    shownKind = kind;
  }
  if (kind === "over") ending.now.drawEnding(panel, floor);
}

function kindNow(phase) {
  if (phase === "lobby") return model.role === "host" ? "lobby" : "wait";
  if (phase === "over" && model.table.result) return "over";
  return ["off", "start", "stopped"].includes(phase) ? phase : "";
}

function partsOf(kind) {
  if (kind === "lobby") return makeLobby();
  if (kind === "over") return ending.now.makeEnding();
  const words = {wait: "wait", off: "power", start: "starting", stopped: "stopped"}[kind];
  if (!words) return [];
  const parts = [make("p", {class: "headline", text: say(words)})];
  if (kind === "stopped" && model.role === "host") {
    parts.push(make("button", {type: "button", class: "big", "data-act": "new", text: say("newTable"), onclick: () => acts.newTable()}));
  }
  if (kind === "off" && model.role === "host") {
    parts.push(make("button", {type: "button", class: "big", "data-act": "power", text: say("powerOn"), onclick: () => acts.power(true)}));
  }
  return [make("div", {class: "card-panel"}, ...parts)];
}

/** The line of the bar: what the table does, where no event has come yet. */
export function drawTitle(element) {
  const title = model.table.title || model.table.game || "Cardtable";
  write(element, model.table.phase === "lobby" ? "Cardtable" : title);
}
