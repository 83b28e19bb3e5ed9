// Puzzles: one position at a time, the answer plays itself out. Which were solved and the own rating stay in this browser.

import {say} from "./words.js";
import {ask, cardOf, keep, startPage} from "./learn.js";
import {drawPosition} from "./position.js";
import {make, renew, set} from "./make.js";

const STEP_MS = 1100; // from one act of the answer to the next
const NEAR = 150; // points of rating: among puzzles so near the next one is drawn
let list = {puzzles: [], today: ""};
let puzzle = null;
let timer = 0;

const box = (id) => document.getElementById(id);
const kept = () => keep("puzzles") || {rating: null, done: {}};

function state(name) {
  set(document.body, "data-state", name);
}

function tellStatus(text = "") {
  const {rating, done} = kept();
  const solved = Object.values(done).filter((one) => one.right).length;
  const parts = [rating && text ? say("ratingNew", rating.shown, text) : rating ? say("ratingOwn", rating.shown) : "", say("solved", solved, list.puzzles.length)];
  box("status").textContent = parts.filter(Boolean).join(" · ");
}

async function open(name) {
  clearTimeout(timer);
  state("loading");
  puzzle = await ask(`/puzzles/${encodeURIComponent(name)}.json`);
  if (!puzzle) {
    state("lost");
    renew(box("ask"), make("p", {role: "alert", text: say(list.puzzles.length ? "hears" : "noPuzzle")}));
    return;
  }
  history.replaceState(null, "", `#${encodeURIComponent(name)}`);
  tellStatus();
  pose();
}

function pose() {
  set(document.body, "data-puzzle", puzzle.name);
  set(document.body, "data-shape", puzzle.shape);
  draw(puzzle.view);
  const facts = [puzzle.title, say("ratingPuzzle", puzzle.rating)];
  if (puzzle.name === list.today) facts.unshift(say("puzzleToday"));
  if ((list.puzzles.find((one) => one.name === puzzle.name) || {}).own) facts.unshift(say("fromYours"));
  renew(box("ask"), make("p", {class: "facts", text: facts.join(" · ")}), make("h2", {text: puzzle.question}),
    make("div", {class: "choices", role: "group", "aria-label": puzzle.question}, ...puzzle.choices.map((choice) => make("button", {type: "button", "data-choice": choice.index, onclick: () => answer(choice)},
      ...choice.cards.map(cardOf), make("span", {text: choice.text})))));
  state("question");
}

function draw(view) {
  box("position").replaceChildren(...drawPosition(view, puzzle.seat, puzzle.names));
}

async function answer(choice) {
  if (document.body.dataset.state !== "question") return;
  state("thinking");
  const {rating} = kept();
  const query = {choice: choice.index};
  if (rating) Object.assign(query, {mu: rating.mu, sigma: rating.sigma});
  const told = await ask(`/puzzles/${encodeURIComponent(puzzle.name)}/answer.json`, query);
  if (!told) {
    tellStatus();
    box("status").textContent = say("hears");
    state("question");
    return;
  }
  count(told);
  tell(told);
}

/** The first answer moves the rating, once for each puzzle; a later one can still solve it. */
function count(told) {
  const now = kept();
  if (now.done[puzzle.name]) {
    now.done[puzzle.name].right ||= told.is_right;
    keep("puzzles", now);
    tellStatus();
    return;
  }
  const before = now.rating ? now.rating.shown : told.rating ? told.rating.before : 0;
  if (told.rating) now.rating = {mu: told.rating.mu, sigma: told.rating.sigma, shown: told.rating.shown};
  now.done[puzzle.name] = {right: told.is_right, at: new Date().toISOString().slice(0, 10)};
  keep("puzzles", now);
  const change = told.rating ? told.rating.shown - before : 0;
  tellStatus(told.rating ? `${change < 0 ? "−" : "+"}${Math.abs(change)}` : "");
}

function tell(told) {
  const steps = make("ol", {class: "steps", "aria-label": say("goesOn")}, ...told.line.map((one) => make("li", {text: one.text})));
  const ways = [make("button", {type: "button", class: "big", "data-act": "next", text: say("next"), onclick: () => open(choose())})];
  if (!told.is_right) ways.unshift(make("button", {type: "button", "data-act": "again", text: say("puzzleAgain"), onclick: () => { clearTimeout(timer); pose(); }}));
  const verdict = [make("div", {role: "alert"}, make("h2", {class: told.is_right ? "right" : "wrong", text: told.said}))];
  if (told.is_right) verdict.push(make("p", {class: "facts", text: `${told.theme} · ${told.missed}`}));
  renew(box("ask"), ...verdict, make("div", {class: "ways"}, ...ways), ...(told.line.length ? [steps] : []));
  state("playing");
  step(told.line, 0, steps);
}

function step(line, at, steps) {
  if (at >= line.length) {
    state("done");
    return;
  }
  draw(line[at]);
  [...steps.children].forEach((item, index) => set(item, "aria-current", index === at ? "step" : null));
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  timer = setTimeout(step, calm ? 0 : STEP_MS, line, at + 1, steps);
}

/** The next one: the own games' first, then one near the own rating that was not tried yet. */
function choose() {
  const {done, rating} = kept();
  const open = list.puzzles.filter((one) => !done[one.name] && one.name !== (puzzle || {}).name);
  const own = open.filter((one) => one.own);
  const among = own.length ? own : open.length ? open : list.puzzles;
  const wanted = rating ? rating.shown : 1300;
  const near = among.filter((one) => Math.abs(one.rating - wanted) < NEAR);
  const pool = near.length ? near : [...among].sort((a, b) => Math.abs(a.rating - wanted) - Math.abs(b.rating - wanted)).slice(0, 10);
  return pool.length ? pool[Math.floor(Math.random() * pool.length)].name : "";
}

/** The name that the address says. */
function named() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}

async function start() {
  startPage("puzzles");
  addEventListener("hashchange", () => location.reload()); // another link in the same tab
  list = await ask("/puzzles/list.json") || list;
  const wanted = named();
  const known = list.puzzles.some((one) => one.name === wanted);
  await open(known ? wanted : kept().done[list.today] ? choose() : list.today);
}

start();
