// The stream's overlay: transparent, along the lower edge, large enough for a small picture.

import {pip} from "./cards.js";
import {keyed, make, set, write} from "./make.js";
import {boutWords, clockNow, model, seatRows, trumpSuit, watch, words} from "./onlook.js";

function draw() {
  const trump = trumpSuit();
  write(document.getElementById("head"), [model.table.title, trump && `${words.say("trump")}\u00a0${pip(trump)}`, clockNow()].filter(Boolean).join("  ·  "));
  const rows = seatRows();
  const made = keyed(document.getElementById("seats"), rows, (row) => row.seat, () => make("li", {}, make("b"), make("span")));
  rows.forEach((row, index) => {
    set(made[index], "data-turn", row.turn ? "yes" : null);
    set(made[index], "data-refused", row.refusal ? row.refusal.rule : null);
    write(made[index].firstChild, row.name);
    write(made[index].lastChild, row.count ? String(row.count) : "");
  });
  const bout = boutWords();
  keyed(document.getElementById("bout"), bout, (pair) => pair.join("/"), ([card, cover]) => make("span", {class: "pair"}, make("b", {text: card}), cover ? make("i", {text: cover}) : ""));
  const last = model.feed[model.feed.length - 1];
  const verdict = document.getElementById("verdict");
  set(verdict, "data-kind", last ? last.kind : null);
  write(verdict, model.table.result || (last ? last.text : ""));
}

watch(draw);
