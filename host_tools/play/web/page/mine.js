// My games: by name, on this computer; what this browser keeps of puzzles and drills can be saved and deleted.

import {language, say} from "./words.js";
import {ask, forget, keep, startPage} from "./learn.js";
import {make, renew, set} from "./make.js";
import {saveFile} from "./save.js";
import {isServed, linkTo} from "./wire.js";

const KEPT = ["puzzles", "drills", "mine"]; // the lobby keeps its player's name as `name`, and not as JSON
const box = (id) => document.getElementById(id);

let run = 0; // a question is answered only if nothing else was asked since

async function show(name) {
  const mine = ++run;
  const told = (await ask("/my-games.json", {name})) || {names: [], games: [], opponents: []};
  if (mine !== run) return;
  const list = make("select", {id: "who", onchange: (event) => { keep("mine", event.target.value); show(event.target.value); }},
    make("option", {value: "", text: say("by")}), ...told.names.map((one) => make("option", {value: one, text: one, selected: one === name})));
  box("position").hidden = true;
  renew(box("ask"), make("p", {}, make("label", {}, `${say("yourName")}: `, list)), ...(name ? tellGames(told) : []), ...tellKept());
  set(document.body, "data-state", "ready");
}

function tellGames(told) {
  if (!told.games.length) return [make("p", {text: say("noGames")})];
  const opponents = told.opponents.map((one) => make("li", {"data-opponent": one.name, text: `${one.name}: ${say("lostOf", one.lost, one.games)}`}));
  const games = told.games.map((one) => make("li", {"data-record": one.name, "data-lost": one.lost ? "yes" : "no"},
    make("span", {text: [one.date, one.game, one.players.join(", "), one.result].filter(Boolean).join(" · ")}), " ",
    make("a", {href: linkTo(`/records/${encodeURIComponent(one.name)}/view?language=${language()}`), text: say("watchIt")})));
  return [make("h2", {text: say("opponents")}), make("ul", {}, ...opponents), ...tellMistakes(told.mistakes), make("h2", {text: say("myGames", told.games.length)}), make("ul", {class: "games"}, ...games)];
}

const number = (value) => value.toLocaleString(language());

/** By kind and month; each kind with moments to be tried again. */
function tellMistakes(told) {
  const parts = [make("h2", {text: say("mistakes")}), make("p", {class: "facts", text: say(told.judged < told.fewest ? "judgedFew" : "judgedOf", told.judged, told.judged < told.fewest ? told.fewest : told.of)}),
    ...(told.rough ? [make("p", {class: "facts", text: say("judgedRough", told.rough)})] : [])];
  if (told.kinds.length || told.months.length) {
    const head = make("tr", {}, make("th", {scope: "col", text: say("kind")}), ...told.months.map((one) => make("th", {scope: "col", text: one.month})), make("th", {scope: "col", text: say("tryThem")}));
    const each = make("tr", {}, make("th", {scope: "row", text: say("eachGame")}), ...told.months.map((one) => make("td", {text: one.low === undefined ? number(one.each) : `${number(one.each)} (${number(one.low)}–${number(one.high)})`})), make("td", {}));
    const rows = told.kinds.map((kind) => make("tr", {"data-kind": `${kind.game}.${kind.kind}`}, make("th", {scope: "row", text: kind.text}), ...kind.by_month.map((count) => make("td", {text: count || "·"})),
      make("td", {}, ...kind.moments.flatMap((one, index) => [make("a", {href: linkTo(`/records/${encodeURIComponent(one.name)}/try?language=${language()}&line=${one.line}&seat=${one.seat}`), "aria-label": `${kind.text}: ${say("retryMoment", index + 1)}`, text: `${index + 1}`}), " "]))));
    parts.push(make("div", {class: "wide", tabindex: "0", role: "region", "aria-label": say("mistakes")}, make("table", {}, make("thead", {}, head), make("tbody", {}, each, ...rows))));
  }
  if (told.todo.length) parts.push(make("div", {class: "ways"}, make("button", {type: "button", "data-act": "judge", text: say("judgeRest", told.todo.length), onclick: (event) => judge(event.target, told.todo)})));
  return parts;
}

/** One game after the other, so that nobody else at the table waits for long. */
async function judge(button, todo) {
  button.disabled = true;
  set(document.body, "data-state", "judging");
  for (const [index, one] of todo.entries()) {
    box("status").textContent = say("judging", index + 1, todo.length);
    await ask(`/records/${encodeURIComponent(one.name)}/lesson`, {seat: one.seat});
  }
  box("status").textContent = "";
  await show(keep("mine") || "");
}

function tellKept() {
  const puzzles = keep("puzzles") || {rating: null, done: {}};
  const tried = Object.values(puzzles.done);
  const facts = [`${say("puzzlesSolved", `${tried.filter((one) => one.right).length} / ${tried.length}`)}`];
  if (puzzles.rating) facts.push(say("ratingOwn", puzzles.rating.shown));
  const minutes = keep("drills") || [];
  if (minutes.length) facts.push(`${say("drills")}: ${minutes.map((one) => one.right).slice(-12).join(", ")}`);
  const remove = make("button", {type: "button", "data-act": "delete", text: say("deleteAll"), onclick: sure});
  return [make("h2", {text: say("puzzles")}), make("p", {class: "kept", text: facts.join(" · ")}), make("p", {class: "facts", text: say(isServed ? "staysHere" : "staysInBrowser")}),
    make("div", {class: "ways", id: "care"}, make("button", {type: "button", "data-act": "save", text: say("exportAll"), onclick: save}), remove)];
}

function save() {
  const text = JSON.stringify(Object.fromEntries(KEPT.map((name) => [name, keep(name)])), null, 1);
  saveFile("cardtable-learned.json", text, "application/json");
}

function sure() {
  box("care").replaceChildren(make("p", {text: say("deleteSure")}), make("button", {type: "button", "data-act": "yes", text: say("yes"), onclick: remove}),
    make("button", {type: "button", "data-act": "no", text: say("no"), onclick: () => show(keep("mine") || "")}));
  box("care").querySelector("[data-act=no]").focus();
}

async function remove() {
  KEPT.forEach(forget);
  await show("");
  box("status").textContent = say("deleted");
}

startPage("mine");
show(keep("mine") || "");
