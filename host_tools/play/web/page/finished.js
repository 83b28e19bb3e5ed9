// The finished games of this table, with names that people read.

import "./ending_words.js";
import {language, say} from "./words.js";
import {model} from "./model.js";
import {make} from "./make.js";
import {get, linkTo} from "./wire.js";

const told = new Map(); // question: the games that were told

/** The list; `draw` is called when the names have come. */
export function makeFinished(draw) {
  const names = model.table.records || [];
  const own = model.table.seats.filter((seat) => model.seats.includes(seat.seat)).map((seat) => seat.name);
  const query = new URLSearchParams([["language", language()], ...own.map((name) => ["me", name])]);
  const question = `${query} ${names}`; // a long list leaves out its oldest: their number alone says nothing
  if (!told.has(question)) {
    told.set(question, null);
    ask(query, question, draw);
  }
  const games = told.get(question) || names.map((name) => ({name, when: "", game: name, result: ""}));
  return games.length ? make("ul", {class: "records"}, ...games.slice(0, 40).map(rowOf)) : make("p", {text: say("none")});
}

async function ask(query, question, draw) {
  try {
    const answer = await get(`records?${query}`);
    if (answer.ok) told.set(question, (await answer.json()).games);
  } catch { /* the names of the files stay */ }
  draw();
}

function rowOf(game) {
  const eyes = game.seat ? `#line=0&as=${game.seat}` : ""; // seen as one played it; everybody's eyes can be chosen there
  const at = `records/${encodeURIComponent(game.name)}`;
  const link = (name, end, words) => make("a", {href: linkTo(at + end), "data-act": name, text: say(words)});
  const what = [[whenOf(game.when), game.game || game.name].filter(Boolean).join(", "), game.result.replace(/\.$/, "")].filter(Boolean).join(": ");
  return make("li", {"data-record": game.name}, make("span", {text: what}), " ",
    link("watch", `/view?language=${language()}${eyes}`, "openWatch"), " ", link("analyse", `/view?language=${language()}&analyse=yes${eyes}`, "openAnalysis"), " ",
    make("a", {href: at, download: game.name, "data-act": "record", text: say("openRecord")}));
}

/** "Today 15:15", "23 November, 15:15". */
function whenOf(when) {
  if (!when) return "";
  const date = new Date(when);
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(when).setHours(0, 0, 0, 0)) / 86400000);
  const time = date.toLocaleTimeString(language(), {hour: "2-digit", minute: "2-digit"});
  if (days === 0 || days === 1) return `${say(days ? "yesterday" : "today")} ${time}`;
  return `${date.toLocaleDateString(language(), {day: "numeric", month: "long"})}, ${time}`;
}
