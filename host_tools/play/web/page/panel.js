// What lies over the table between games: the lobby, a game's end, a table that is off, starting or stopped.

import {has, language, say} from "./words.js";
import {model, nameOf} from "./model.js";
import {makeLobby} from "./lobby.js";
import {make, write} from "./make.js";

let acts = null;
let shown = "";
let looking = "";

/** `doers` has next, lobby and power. */
export function startPanel(doers) {
  acts = doers;
}

/** The message of the panel, drawn again only when it says something else. */
export function drawPanel(panel) {
  const {phase} = model.table;
  const kind = kindNow(phase);
  const key = [kind, language(), kind === "lobby" ? JSON.stringify([model.choices || 0, model.table.guests || {}]) : "", model.table.result, model.table.digest].join("|");
  if (kind !== "over") looking = "";
  panel.hidden = !kind || (kind === "over" && looking === key);
  panel.className = kind;
  if (key === shown) return;
  shown = key;
  panel.replaceChildren(...partsOf(kind, key));
}

function kindNow(phase) {
  if (phase === "lobby") return model.role === "host" ? "lobby" : "wait";
  if (phase === "over" && model.table.result) return "over";
  return ["off", "start", "stopped"].includes(phase) ? phase : "";
}

function partsOf(kind, key) {
  if (kind === "lobby") return makeLobby();
  if (kind === "over") return overParts(key);
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

function overParts(key) {
  const parts = [make("h2", {text: say("over")}), make("p", {class: "headline", text: resultWords(model.table.result)})];
  if (model.table.digest) parts.push(make("p", {class: "digest"}, `${say("digest")}: `, make("code", {text: model.table.digest})));
  const buttons = make("div", {class: "row"});
  if (model.role === "host") {
    buttons.append(
      make("button", {type: "button", class: "big", "data-act": "next", text: say("next"), onclick: () => acts.next()}),
      make("button", {type: "button", class: "plain", "data-act": "lobby", text: say("newTable"), onclick: () => acts.lobby()}));
  }
  buttons.append(make("button", {type: "button", class: "plain", "data-act": "look", text: say("back"), onclick: () => {
    looking = key;
    document.getElementById("panel").hidden = true;
  }}));
  parts.push(buttons);
  return [make("div", {class: "card-panel"}, ...parts)];
}

/** The result in words: the table's own sentence, or a record's line with names for seats. */
export function resultWords(result) {
  const words = String(result || "").split(" ");
  if (words[0] === "team" && words[1]) return say("team", "", words[1].split("+").map((seat) => nameOf(Number(seat))).join(", "));
  if (!/^(fool|winner|loser|draw|aborted)$/.test(words[0]) || !has(words[0])) return result;
  return say(words[0], "", words[1] ? nameOf(Number(words[1])) : "");
}

/** The line of the bar: what the table does, where no event has come yet. */
export function drawTitle(element) {
  const title = model.table.title || model.table.game || "Cardtable";
  write(element, model.table.phase === "lobby" ? "Cardtable" : title);
}
