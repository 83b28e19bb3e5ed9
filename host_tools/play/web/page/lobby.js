// Before a game: the quick start, the table's own lobby on its screen, and the same choices as a form.

import "./storage.js";
import {say} from "./words.js";
import {model} from "./model.js";
import {botRows, MORE} from "./levels.js";
import {make, set, write} from "./make.js";
import {isServed, linkTo} from "./wire.js";

const NAME = "cardtable.name";
const QUICK = {game: "durak throw-in", bots: 3};
let start = null;
let asks = null;
let chosen = {game: "", preset: "", count: 4, dealer: 4, options: {}, seats: [], kinds: false};
let drawn = null;
let atTable = false; // the table's own lobby is open

/** `doer(fields)` says the act `start`; `questions` has rule(name), which opens a rule, help(line) of a game, and learn(name). */
export function startLobby(doer, questions) {
  start = doer;
  asks = questions;
}

/** The lobby's parts, made once for each message `choices` and each language. */
export function makeLobby() {
  const quick = make("section", {class: "quick"},
    make("button", {type: "button", class: "big", "data-act": "quick-start", disabled: !model.choices, text: say("quick"), onclick: quickStart}),
    make("p", {}, make("span", {class: "why", text: `${say("quickWhy")} `}), make("a", {href: linkTo("puzzles"), "data-act": "puzzles", text: say("toPuzzles")})),
    labelled(say("yourName"), nameField()));
  quick.append(...learnParts());
  // It knows neither the names nor the house rules of the form: who wants it opens it.
  const own = make("details", {class: "ownlobby", ontoggle: showOwn}, make("summary", {text: say("lobbyOwn")}), make("div", {class: "glasshole"}), make("p", {text: say("lobbyOwnWhy")}));
  own.open = atTable;
  showOwn({target: own});
  return [make("div", {class: "left"}, quick, own), makeForm(false)];
}

/** The table's screen and buttons are there only beside its own lobby. */
function showOwn({target}) {
  atTable = target.open;
  set(document.body, "data-ownlobby", atTable ? "open" : null);
  dispatchEvent(new Event("resize"));
}

/** First games: that of Durak as a button of its own, those of the other games beside it. */
function learnParts() {
  const [first, ...others] = (model.choices || {}).lessons || [];
  if (!first) return [];
  const button = (one, words, kind) => make("button", {type: "button", class: kind, "data-act": "learn", "data-game": one.name, text: words, onclick: () => asks.learn(one.name)});
  return [button(first, say("learnFirst", first.title.split(" (")[0]), "plain learn"), make("div", {class: "row learn"}, say("learnOthers"), ...others.map((one) => button(one, one.title.split(" (")[0], "plain")))];
}

/** The form alone; `running`: a game would have to be put away for it. */
export function makeForm(running) {
  const form = make("form", {class: "choose", onsubmit: submit});
  if (running) form.dataset.running = "";
  fillForm(form);
  return form;
}

function quickStart() {
  const seats = [{name: ownName(), who: "here"}];
  for (const name of botNames(QUICK.bots)) seats.push({name, who: "bot:beginner"});
  seatGuests(seats);
  start({game: QUICK.game, seats, dealer: seats.length, give_up: false});
}

/** What who sits here is called: the name that was said in this browser, else a guest. */
function ownName() {
  return (localStorage.getItem(NAME) || "").trim() || say("you");
}

function nameField() {
  return make("input", {name: "own-name", maxlength: 20, autocomplete: "nickname", placeholder: say("you"), value: localStorage.getItem(NAME) || "",
    oninput: (event) => keepName(event.target.value)});
}

function keepName(name) {
  localStorage.setItem(NAME, name);
  if (chosen.seats[0] && chosen.seats[0].who === "here") chosen.seats[0].name = ownName();
  if (drawn && drawn.elements.name1) drawn.elements.name1.value = (chosen.seats[0] || {name: ownName()}).name;
}

/** Those who came by the code have their seats already. */
function seatGuests(seats) {
  for (const [seat, name] of Object.entries(model.table.guests || {})) {
    if (Number(seat) <= seats.length) seats[Number(seat) - 1] = {name, who: "phone"};
  }
}

/** Names of virtual players, as the table calls them. */
function botNames(count) {
  return model.choices.names.slice(0, count);
}

function gameNow() {
  const games = (model.choices || {games: []}).games;
  return games.find((game) => game.name === (chosen.game || QUICK.game.split(" ")[0])) || games[0];
}

function rangeOf(game) {
  const seats = game.seats || [2, 6];
  return Array.isArray(seats) ? seats : [seats.least || seats.min || 2, seats.most || seats.max || 6];
}

function titled(item) {
  return typeof item === "string" ? {name: item, title: item} : {...item, title: item.title || item.name};
}

function labelled(text, control) {
  return make("label", {}, make("span", {text}), control);
}

function select(name, rows, value, change) {
  const list = make("select", {name, onchange: (event) => change(event.target.value)});
  for (const row of rows) {
    const entry = make("option", {value: row.name, text: row.title});
    entry.selected = String(row.name) === String(value);
    list.append(entry);
  }
  return list;
}

/** Draw the form again, from what was chosen. */
function fillForm(form) {
  drawn = form;
  const game = gameNow();
  form.replaceChildren(make("h2", {text: say("form")}));
  if (!game) {
    form.append(make("p", {text: say("loading")}));
    return;
  }
  chosen.game = game.name;
  const presets = (game.presets || []).map(titled);
  if (!presets.some((preset) => preset.name === chosen.preset)) chosen.preset = presets.length ? presets[0].name : "";
  const [least, most] = rangeOf(game);
  chosen.count = Math.max(least, Math.min(most, chosen.count));
  const redraw = (key) => (value) => {
    chosen[key] = key === "count" || key === "dealer" ? Number(value) : value;
    if (key === "game") chosen.options = {};
    fillForm(form);
    form.elements[key].focus();
  };
  const counts = Array.from({length: most - least + 1}, (_, index) => ({name: least + index, title: String(least + index)}));
  form.append(make("div", {class: "row"},
    labelled(say("game"), select("game", model.choices.games.map(titled), chosen.game, redraw("game"))),
    presets.length > 1 ? labelled(say("variant"), select("preset", presets, chosen.preset, redraw("preset"))) : "",
    labelled(say("count"), select("count", counts, chosen.count, redraw("count")))));
  form.append(goalRow(presets), seatRows(form), optionRows(game));
  if ("running" in form.dataset) {
    form.append(make("label", {class: "check"}, make("input", {type: "checkbox", name: "give_up"}), say("giveUp")), make("p", {class: "trouble", role: "alert"}));
  }
  form.append(make("button", {type: "submit", class: "go", "data-act": "start", text: say("start")}));
}

/** What one has to do to win, and the way to the game's page. */
function goalRow(presets) {
  const preset = presets.find((one) => one.name === chosen.preset) || {};
  return make("p", {class: "goal"}, `${preset.goal || ""} `,
    make("button", {type: "button", class: "rule", "data-act": "how", text: say("howPlayed"), onclick: () => asks.help(lineNow())}));
}

/** What is chosen as a record's `game:` line says it. */
function lineNow() {
  const words = [chosen.game, chosen.preset];
  for (const option of gameNow().options || []) words.push(...wordsOf(option));
  return words.filter(Boolean).join(" ");
}

function players(now) {
  return [{name: "here", title: say("here")}, ...(isServed ? [{name: "phone", title: say("phone")}] : []), {name: "open", title: say("open")}, ...botRows(gameNow(), now, chosen.kinds)];
}

/** Who plays a seat; the last row brings the characters into every list. */
function choosePlayer(form, index, who) {
  if (who === MORE) chosen.kinds = true;
  else chosen.seats[index].who = who;
  if (who !== MORE) return;
  fillForm(form);
  form.elements[`who${index + 1}`].focus();
}

function seatRows(form) {
  for (const [seat, name] of Object.entries(model.table.guests || {})) chosen.seats[Number(seat) - 1] = {name, who: "phone"};
  const names = [ownName(), ...botNames(6)];
  const rows = make("fieldset", {class: "people"}, make("legend", {text: say("people")}));
  for (let index = 0; index < chosen.count; index += 1) {
    const seat = chosen.seats[index] || (chosen.seats[index] = {name: names[index], who: model.table.cards === "real" ? "phone" : index ? "bot:beginner" : "here"});
    const number = index + 1;
    rows.append(make("div", {class: "row"},
      make("input", {name: `name${number}`, value: seat.name, maxlength: 20, required: true, "aria-label": `${say("name")}, ${say("seatOnly", number)}`,
        oninput: (event) => { seat.name = event.target.value; }}),
      isServed || model.table.cards !== "real" ? withName(select(`who${number}`, players(seat.who), seat.who, (who) => choosePlayer(form, index, who)), `${say("who")}, ${say("seatOnly", number)}`) : "")); // all sit round the one phone
  }
  return rows;
}

function withName(control, name) {
  set(control, "aria-label", name);
  return control;
}

/** Each option as a question with its answers, and the rule that it is about. */
function optionRows(game) {
  const seats = Array.from({length: chosen.count}, (_, index) => ({name: index + 1, title: chosen.seats[index].name}));
  if (chosen.dealer > chosen.count) chosen.dealer = chosen.count;
  const details = make("details", {class: "options"}, make("summary", {text: say("options")}),
    labelled(say("deals"), select("dealer", seats, chosen.dealer, (value) => { chosen.dealer = Number(value); })));
  for (const option of game.options || []) {
    if (option.each) {
      details.append(eachRows(option));
      continue;
    }
    const name = `option-${option.name}`;
    const change = (value) => { chosen.options[option.name] = value; };
    const now = chosen.options[option.name] || "";
    const values = option.values || [];
    const control = values.length
      ? select(name, [{name: "", title: `${say("asUsual")}: ${values[0].text}`}, ...values.map((one) => ({name: one.value, title: one.text}))], now, change)
      : make("input", {name, type: "number", min: option.low, max: option.high, value: now, placeholder: `${say("asUsual")}: ${option.usual || option.default}`, oninput: (event) => change(event.target.value), oninvalid: () => { details.open = true; }});
    details.append(make("div", {class: "option"}, labelled(option.question || option.name, control), ruleButton(option)));
  }
  return details;
}

function ruleButton(option) {
  return make("button", {type: "button", class: "rule", "data-act": "rule", "aria-label": say("rule", option.rule), text: option.rule, onclick: () => asks.rule(option.rule)});
}

/** What is said seat by seat: seconds for each player. */
function eachRows(option) {
  const said = chosen.options[option.name] || (chosen.options[option.name] = {});
  const answers = [{name: "", title: say("asOthers")}, ...option.each.map((one) => ({name: one, title: say("seconds", one)}))];
  const rows = make("fieldset", {}, make("legend", {text: option.question}));
  for (let seat = 1; seat <= chosen.count; seat += 1) {
    rows.append(labelled(`${seat}: ${chosen.seats[seat - 1].name}`,
      select(`option-${option.name}-${seat}`, answers, said[seat] || "", (value) => { said[seat] = value; })));
  }
  return make("div", {class: "option"}, rows, ruleButton(option));
}

/** The words of a `game:` line for that option. */
function wordsOf(option) {
  const said = chosen.options[option.name];
  if (!option.each) return said ? [`${option.name}=${said}`] : [];
  return Object.keys(said).filter((seat) => said[seat] && seat <= chosen.count).map((seat) => `${option.name}=${seat}:${said[seat]}`);
}

function submit(event) {
  event.preventDefault();
  const box = drawn.elements.give_up;
  if (box && !box.checked) {
    write(drawn.querySelector(".trouble"), say("giveUpFirst"));
    box.focus();
    return;
  }
  const seats = chosen.seats.slice(0, chosen.count).map((seat) => ({name: seat.name.trim(), who: seat.who}));
  start({game: lineNow(), seats, dealer: chosen.dealer, give_up: !!(box && box.checked)});
}

