// The switches of a table: who sits where, language, dealing, speed, power, the records of finished games.

import "./settings_words.js";
import {isServed} from "./wire.js";
import {listLanguages, say} from "./words.js";
import {gameName, model, seatList} from "./model.js";
import {closeDialog, isOpen, openDialog} from "./dialog.js";
import {codeParts} from "./coming.js";
import {botRows, MORE} from "./levels.js";
import {makeFinished} from "./finished.js";
import {make} from "./make.js";

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
let acts = null;
let showsKinds = false; // virtual players by their character, too
const links = new Map(); // seat: the link that was asked for, and to whom it was given

/** `doers` has act(verb, fields) and ask(type, fields). */
export function startSettings(doers) {
  acts = doers;
}

export function openSettings() {
  const isAlone = model.table.cards === "real" && !isServed; // all sit round this phone
  const parts = model.role !== "host" ? [] : isAlone ? [switchesPart()] : [seatsPart(), switchesPart()];
  openDialog("settings", say("settings"), ...parts, make("h3", {text: say("reading")}), acts.reading(), recordsPart());
}

/** Draw the dialog again where it is open and what it shows has changed. Who sits elsewhere now has another link. */
export function refreshSettings() {
  for (const seat of seatList()) if (links.has(seat.seat) && links.get(seat.seat).whose !== whose(seat)) links.delete(seat.seat);
  if (isOpen("settings")) openSettings();
}

const whose = ({who, name, came}) => `${who} ${name} ${came}`;

export function takeLink(message) {
  const seat = seatList().find((one) => one.seat === message.seat);
  if (seat) links.set(message.seat, {...message, whose: whose(seat)});
  refreshSettings();
}

function field(text, control) {
  return make("label", {}, make("span", {text}), control);
}

function choice(rows, value, change, name) {
  const list = make("select", {"data-act": name, onchange: (event) => change(event.target.value)});
  for (const [key, title] of rows) {
    const row = make("option", {value: key, text: title});
    row.selected = String(key) === String(value);
    list.append(row);
  }
  return list;
}

function whoRows(now) {
  const game = ((model.choices || {}).games || []).find((one) => one.name === gameName());
  return [["here", say("here")], ...(isServed ? [["phone", say("phone")]] : []), ["open", say("open")], ...botRows(game || {}, now, showsKinds).map(({name, title}) => [name, title])];
}

function sit(seat, who) {
  if (who !== MORE) return acts.act("sit", {seat: seat.seat, who, name: seat.name});
  showsKinds = true;
  return refreshSettings();
}

function seatsPart() {
  const part = make("section", {}, ...(isServed ? [make("h3", {text: say("friends")})] : []), make("div", {class: "joining"}, ...codeParts()), make("h3", {text: say(isServed ? "links" : "people")}));
  for (const seat of seatList()) {
    const rows = whoRows(seat.who);
    const row = make("div", {class: "row", "data-seat": seat.seat},
      field(seat.name, choice(rows, seat.who, (who) => sit(seat, who), "sit")),
      seat.who !== "phone" ? "" : make("button", {type: "button", class: "plain", "data-act": "link", "aria-label": `${say("link")}, ${seat.name}`, text: say("link"), onclick: () => acts.ask("link", {seat: seat.seat})}));
    part.append(row);
    if (links.has(seat.seat)) part.append(linkPart(links.get(seat.seat)));
  }
  return part;
}

function linkPart(link) {
  if (link.closed) return make("p", {text: say("closedTable")});
  return make("figure", {class: "link"},
    make("img", {alt: `QR: ${link.url}`, src: `data:image/svg+xml;utf8,${encodeURIComponent(link.qr)}`}),
    make("figcaption", {}, make("span", {text: say("scan")}), make("input", {readonly: true, value: link.url, "aria-label": say("link"), onfocus: (event) => event.target.select()})));
}

function switchesPart() {
  const table = model.table;
  const off = table.phase === "off";
  return make("section", {class: "switches"},
    field(say("dealing"), choice([["table", say("dealTable")], ["hand", say("dealHand")]], table.deal, (by) => acts.act("deal", {by}), "deal")),
    field(say("tableLanguage"), choice(listLanguages(), table.screen_language, (code) => acts.act("language", {language: code}), "language")),
    field(say("speed"), choice(SPEEDS.map((speed) => [speed, `× ${speed}`]), table.speed, (speed) => acts.act("speed", {speed: Number(speed)}), "speed")),
    make("div", {class: "row"},
      make("button", {type: "button", class: "plain", "data-act": "power", text: say(off ? "powerOn" : "powerOff"), onclick: () => { closeDialog(); acts.act("power", {on: off}); }}),
      make("button", {type: "button", class: "plain", "data-act": "new", text: say("newTable"), onclick: () => acts.newTable()})));
}

function recordsPart() {
  return make("section", {}, make("h3", {text: say("records")}), makeFinished(refreshSettings));
}
