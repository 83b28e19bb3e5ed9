// A rule, one click away from its refusal: its text, the lines of the source it comes from, other readings.

import {say} from "./words.js";
import {isOpen, openDialog} from "./dialog.js";
import {make} from "./make.js";

let wanted = "";

/** Ask the table for a rule and open its dialog. */
export function openRule(connection, rule) {
  wanted = rule;
  openDialog("rule", say("rule", rule), make("p", {text: say("loading")}));
  connection.ask("rule", {rule});
}

/** Show a `rule` message, if its dialog is still open. */
export function takeRule(message) {
  if (message.rule !== wanted || !isOpen("rule")) return;
  const nodes = [make("p", {class: "ruletext", text: message.text})];
  if (message.source) nodes.push(make("p", {class: "source", text: say("source", message.source)}));
  const readings = (Array.isArray(message.readings) ? message.readings : [message.readings]).filter(Boolean);
  if (readings.length) {
    nodes.push(make("h3", {text: say("readings")}), make("ul", {}, ...readings.map((reading) => make("li", {text: wordsOf(reading)}))));
  }
  openDialog("rule", message.title ? `${message.rule} · ${message.title}` : say("rule", message.rule), ...nodes);
}

function wordsOf(reading) {
  return typeof reading === "string" ? reading : Object.values(reading).join(": ");
}
