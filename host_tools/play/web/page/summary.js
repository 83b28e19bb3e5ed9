// Help: a game on one page in plain words, with the house rules of this table; the rulebook and the keys behind it.

import "./summary_words.js";
import {rows, say} from "./words.js";
import {model} from "./model.js";
import {isOpen, openDialog} from "./dialog.js";
import {returnTo} from "./rules.js";
import {make} from "./make.js";

let doers = null;
let wanted = null; // the `game:` line that was asked for; null: the game of this table
let told = null;

/** `acts` has ask(type, fields) and rule(name). */
export function startSummary(acts) {
  doers = acts;
}

/** Open the help; `line`: a game that is only chosen yet. */
export function openHelp(line = null) {
  returnTo(null);
  wanted = line || (model.table.game ? null : "durak throw-in");
  told = null;
  show();
  doers.ask("summary", wanted ? {game: wanted} : {});
}

/** Show a `summary` message, if the help is still open. */
export function takeSummary(message) {
  if (!isOpen("help")) return;
  told = message;
  show();
}

function show() {
  const page = told && told.parts ? pageParts(told) : [make("p", {text: told ? told.why : say("loading")})];
  openDialog("help", told && told.title || say("help"), ...page, ...(model.role === "host" ? keysPart() : []));
}

/** A rule's number, which opens it; the rule leads back here. */
function ruleButton(rule) {
  return make("button", {type: "button", class: "rule", "data-act": "rule", "aria-label": say("rule", rule), text: rule, onclick: () => {
    returnTo(show);
    doers.rule(rule);
  }});
}

function pageParts(page) {
  const parts = [make("p", {class: "goal", text: page.goal})];
  for (const part of page.parts) {
    parts.push(make("h3", {text: part.title}), make("ul", {class: "sentences"}, ...part.sentences.map((one) => make("li", {}, `${one.text} `, ...one.rules.map(ruleButton)))));
  }
  parts.push(make("h3", {text: say(page.house.length ? "houseHere" : "houseNone")}), options(page.house));
  parts.push(folded("houseUsual", options(page.usual)));
  const rules = page.rules.map((one) => make("li", {}, ruleButton(one.rule), " ", make("span", {lang: one.language, text: one.text})));
  parts.push(folded("wholeBook", make("ul", {class: "sentences"}, ...rules)));
  return parts;
}

function options(rows) {
  return make("ul", {class: "sentences"}, ...rows.map((one) => make("li", {}, `${one.question} `, make("b", {text: one.answer}), " ", ruleButton(one.rule))));
}

function folded(title, list) {
  return make("details", {}, make("summary", {text: say(title)}), list);
}

/** The keys, where there is a keyboard. */
function keysPart() {
  if (matchMedia("(pointer: coarse)").matches) return [make("p", {text: say("helpMore")})];
  const lines = rows("helpRows").map(([keys, meaning]) => make("tr", {}, make("th", {scope: "row", text: keys}), make("td", {text: meaning})));
  return [make("h3", {text: say("keys")}), make("table", {class: "helptable"}, make("tbody", {}, ...lines)), make("p", {text: say("helpMore")})];
}
