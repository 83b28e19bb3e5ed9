// The way from a page of a finished game to this table: it goes on from the moment that the address names.

import {addWords, say} from "./words.js";
import {model} from "./model.js";
import {make} from "./make.js";
import {closeDialog, openDialog} from "./dialog.js";

addWords({
  en: {onward: "Play on from that moment", onwardUnder: "A game is under way. To play on from that moment you give it up.", onwardGo: "Give it up and play on", onwardStay: "Stay in this game", onwardHost: "Only the page that opened this table can start a game: open the link there."},
  ru: {onward: "Играть с этого момента", onwardUnder: "Идёт игра. Чтобы играть с того момента, её надо бросить.", onwardGo: "Бросить и играть оттуда", onwardStay: "Остаться в этой игре", onwardHost: "Начать игру может только страница, с которой открыт этот стол: перейдите по ссылке там."},
});

/** Take the moment out of the address and go there. act(verb, fields). */
export function goOnward(act) {
  const said = new URLSearchParams(location.search);
  const fields = {record: said.get("from"), line: Number(said.get("line")), seat: Number(said.get("seat")), anew: said.get("cards") === "anew"};
  for (const key of ["from", "line", "seat", "cards"]) said.delete(key);
  history.replaceState(history.state, "", location.pathname + (String(said) && `?${said}`));
  if (model.role !== "host") return openDialog("onward", say("onward"), make("p", {text: say("onwardHost")}));
  if (!["deal", "play"].includes(model.table.phase)) return act("continue", fields);
  const button = (name, words, does) => make("button", {type: "button", class: name === "yes" ? "big" : "plain", "data-act": name, text: say(words), onclick: () => { closeDialog(); does(); }});
  return openDialog("onward", say("onward"), make("p", {text: say("onwardUnder")}), make("div", {class: "row"},
    button("yes", "onwardGo", () => act("continue", {...fields, give_up: true})), button("no", "onwardStay", () => {})));
}
