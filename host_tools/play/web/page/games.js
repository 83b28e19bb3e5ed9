// A folder of games as a list: search, filter by game, sort by a column; each opens its replay and the sheet of a line.

import * as words from "./words.js";
import "./page_words.js";
import "./view_words.js";
import {make, set, write} from "./make.js";

const {say} = words;
const COLUMNS = ["date", "table", "players", "game", "result", "length", "seal"];
let games = [];
let order = {by: "date", down: true};

function wanted(game) {
  const find = document.getElementById("find").value.toLowerCase().split(/\s+/).filter(Boolean);
  const kind = document.getElementById("kind").value;
  const text = [game.name, game.date, game.table, game.kind, game.game, ...game.players, game.result, game.seal, game.digest].join(" ").toLowerCase();
  return find.every((word) => text.includes(word)) && (!kind || game.kind.split(" ")[0] === kind);
}

function valueOf(game, column) {
  if (column === "players") return game.players.join(", ");
  if (column === "length") return game.length_ms;
  return game[column] || "";
}

function sorted(list) {
  const sign = order.down ? -1 : 1;
  return [...list].sort((a, b) => {
    const [one, two] = [valueOf(a, order.by), valueOf(b, order.by)];
    return sign * (one < two ? -1 : one > two ? 1 : 0) || (a.name < b.name ? 1 : -1);
  });
}

function draw() {
  const shown = sorted(games.filter(wanted));
  const body = document.querySelector("#games tbody");
  body.replaceChildren(...shown.map(rowOf));
  write(document.getElementById("count"), say("countGames", shown.length));
  for (const head of document.querySelectorAll("th[data-by]")) set(head, "aria-sort", head.dataset.by === order.by ? (order.down ? "descending" : "ascending") : null);
  const find = encodeURIComponent(document.getElementById("find").value);
  for (const link of document.querySelectorAll("#exports a")) set(link, "href", `/export${link.dataset.kind}?find=${find}`);
}

function rowOf(game) {
  const address = `/game/${encodeURIComponent(game.name)}/?language=${words.language()}`;
  const said = {length: game.length, players: valueOf(game, "players"), seal: game.kind ? say(`seal.${game.seal}`) : "", game: game.kind ? game.game : game.name};
  const cells = COLUMNS.map((column) => make("td", {"data-label": say(`column.${column}`), class: column, text: column in said ? said[column] : game[column]}));
  if (game.kind) set(cells[COLUMNS.indexOf("seal")], "title", game.sealed);
  const opens = game.kind ? [
    make("a", {href: address, "data-act": "view", text: say("openView")}),
    ...(game.is_over ? [make("a", {href: `/game/${encodeURIComponent(game.name)}/record`, "data-act": "record", text: say("listRecord")}),
      make("a", {href: `${address}&analyse=yes`, "data-act": "analyse", text: say("analyseIt")})] : []),
  ] : [make("span", {class: "trouble", text: game.trouble})];
  return make("tr", {"data-game": game.name, "data-seal": game.seal || null}, ...cells, make("td", {class: "opens"}, ...opens));
}

function makeHead() {
  const heads = COLUMNS.map((column) => make("th", {scope: "col", "data-by": column}, make("button", {type: "button", text: say(`column.${column}`), onclick: () => {
    order = {by: column, down: order.by === column ? !order.down : column === "date" || column === "length"};
    draw();
  }})));
  document.querySelector("#games thead").replaceChildren(make("tr", {}, ...heads, make("th", {}, make("span", {class: "aside", text: say("openView")}))));
}

function makeForm() {
  const kinds = [...new Set(games.filter((game) => game.kind).map((game) => game.kind.split(" ")[0]))].sort();
  const titles = new Map(games.filter((game) => game.kind).map((game) => [game.kind.split(" ")[0], game.game.split(",")[0]]));
  const form = document.getElementById("search");
  form.replaceChildren(
    make("input", {type: "search", id: "find", "aria-label": say("search"), placeholder: say("search"), oninput: draw}),
    make("select", {id: "kind", "aria-label": say("column.game"), onchange: draw}, make("option", {value: "", text: say("allGames")}), ...kinds.map((kind) => make("option", {value: kind, text: titles.get(kind)}))),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("exports").replaceChildren(say("export"), ...[".csv", ".json", ".txt"].map((kind) => make("a", {"data-kind": kind, href: `/export${kind}`, download: `games${kind}`, text: kind.slice(1).toUpperCase()})));
}

addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.matches("input")) {
    document.getElementById("find").focus();
    event.preventDefault();
  }
});

async function start() {
  const told = await (await fetch("/games.json")).json();
  words.setLanguage(told.language);
  games = told.games;
  document.title = `${told.folder} · Cardtable`;
  write(document.getElementById("title"), `${say("games")}: ${told.folder}`);
  makeForm();
  makeHead();
  draw();
}

start();
