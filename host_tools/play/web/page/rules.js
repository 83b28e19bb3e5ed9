// A rule, one click away from its refusal: its text, the lines of the source it comes from, other readings.

import {language, say} from "./words.js";
import {isOpen, openDialog} from "./dialog.js";
import {make} from "./make.js";

let wanted = "";
let told = [];
let back = null;

/** Where the dialog of a rule leads back to; null: nowhere. */
export function returnTo(doer) {
  back = doer;
}

/** The button that leads back to where the rule was met. */
function backPart() {
  return back ? [make("button", {type: "button", class: "plain", "data-act": "back", text: say("back"), onclick: back})] : [];
}

/** Ask the table for a rule and open its dialog; `verdicts`: the sentences of the refusal that it is opened for, which name cards at hand. */
export function openRule(connection, rule, verdicts = []) {
  wanted = rule;
  told = verdicts;
  openDialog("rule", say("rule", rule), make("p", {text: say("loading")}), ...backPart());
  connection.ask("rule", {rule});
}

/** Show a `rule` message, or why there is none, if its dialog is still open. */
export function takeRule(message) {
  if ((message.rule || wanted) !== wanted || !isOpen("rule")) return;
  const nodes = told.map((text) => make("p", {class: "verdict", text}));
  const lang = message.language || language();
  if (lang !== language()) nodes.push(make("p", {class: "source", "data-untranslated": lang, text: say("rulesEnglish")}));
  nodes.push(make("p", {class: "ruletext", lang, text: message.why || message.text}));
  if (message.source) nodes.push(make("p", {class: "source", lang, text: say("source", message.source)}));
  const readings = (Array.isArray(message.readings) ? message.readings : [message.readings]).filter(Boolean);
  if (readings.length) {
    nodes.push(make("h3", {text: say("readings")}), make("ul", {lang}, ...readings.map((reading) => make("li", {text: wordsOf(reading)}))));
  }
  openDialog("rule", message.title ? `${wanted} · ${message.title}` : say("rule", wanted), ...nodes, ...backPart());
}

function wordsOf(reading) {
  return typeof reading === "string" ? reading : Object.values(reading).join(": ");
}
