// The way from a page of a finished game to this table: it goes on from the moment that the address names.

import "./lesson_words.js";
import {say} from "./words.js";
import {model} from "./model.js";
import {make} from "./make.js";
import {closeDialog, openDialog} from "./dialog.js";

/** Take the moment out of the address and go there. act(verb, fields). */
export function goOnward(act) {
  const said = new URLSearchParams(location.search);
  const fields = {record: said.get("from"), line: Number(said.get("line")), seat: Number(said.get("seat")), anew: said.get("cards") === "anew"};
  for (const key of ["from", "line", "seat", "cards"]) said.delete(key);
  history.replaceState(history.state, "", location.pathname + (String(said) && `?${said}`));
  if (model.role !== "host") return openDialog("onward", say("onward"), make("p", {text: say("onwardHost")}));
  if (!["deal", "play", "off"].includes(model.table.phase)) return act("continue", fields);
  const button = (name, words, does) => make("button", {type: "button", class: name === "yes" ? "big" : "plain", "data-act": name, text: say(words), onclick: () => { closeDialog(); does(); }});
  return openDialog("onward", say("onward"), make("p", {text: say("onwardUnder")}), make("div", {class: "row"},
    button("yes", "onwardGo", () => act("continue", {...fields, give_up: true})), button("no", "onwardStay", () => {})));
}
