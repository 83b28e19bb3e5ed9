// The list of moves: every verb that the table would take now, as buttons. It stands in the page all the time, so that
// it can be heard and reached; it is seen when it is opened or has the focus.

import {say} from "./words.js";
import {model, nameOf} from "./model.js";
import {keyed, make, place, set, write} from "./make.js";

const BACK = "undo";
const CLAIMS = ["claim", "fours", "plus"]; // what cards that lie ready are for
let play = null;

/** `doer(seat, move)` says the chosen move. */
export function startMoves(doer) {
  play = doer;
}

export function drawMoves(parent, lay) {
  const box = lay.own && lay.own.moves;
  let opener = parent.querySelector(".opener");
  if (!opener) {
    opener = make("button", {type: "button", class: "opener plain", "data-act": "moves", "aria-expanded": "false", onclick: toggleMoves});
    parent.append(opener, make("div", {class: "moves", role: "group"}));
  }
  const list = parent.querySelector(".moves");
  const rows = movesNow();
  place(opener, rows.length ? box : null);
  const count = rows.filter((row) => row.move.verb !== BACK).length;
  write(opener, count ? `${say("moves")} ${count}` : say("takeBack"));
  set(list, "aria-label", say("movesOf"));
  const made = keyed(list, rows, (row) => `${row.seat}:${keyOf(row.move)}`, () => make("button", {type: "button", class: "move"}));
  rows.forEach((row, index) => {
    set(made[index], "data-move", keyOf(row.move));
    set(made[index], "data-seat", row.seat);
    write(made[index], row.seat === model.bottom ? row.move.text : `${nameOf(row.seat)}: ${row.move.text}`);
    made[index].onclick = () => {
      closeMoves();
      play(row.seat, row.move);
    };
  });
  list.classList.toggle("none", !rows.length);
  if (!rows.length) closeMoves();
}

function keyOf(move) {
  return [move.verb, move.card, move.target].filter((part) => part !== undefined && part !== null && part !== "").join(" ");
}

/** The moves of all own seats, those of the seat at the bottom first; behind them, that the last one is taken back (T7). */
function movesNow() {
  const seats = Array.from(model.can.keys()).sort((a, b) => (a === model.bottom ? -1 : b === model.bottom ? 1 : a - b));
  const rows = seats.flatMap((seat) => claimsFirst(model.can.get(seat).moves || []).map((move) => ({seat, move})));
  const backs = seats.filter((seat) => model.can.get(seat).back && !model.can.get(seat).busy);
  return rows.concat(backs.map((seat) => ({seat, move: {verb: BACK, text: say("takeBack")}})));
}

function claimsFirst(moves) {
  const isClaim = (move) => CLAIMS.includes(move.verb);
  return [...moves.filter(isClaim), ...moves.filter((move) => !isClaim(move))];
}

export function toggleMoves() {
  const list = document.querySelector(".moves");
  if (!list || list.classList.contains("none")) return;
  if (list.classList.contains("open")) closeMoves();
  else {
    list.classList.add("open");
    set(document.querySelector(".opener"), "aria-expanded", "true");
    list.firstChild.focus();
  }
}

export function closeMoves() {
  const list = document.querySelector(".moves");
  if (!list || !list.classList.contains("open")) return;
  const focused = list.contains(document.activeElement);
  list.classList.remove("open");
  set(document.querySelector(".opener"), "aria-expanded", "false");
  if (focused) document.querySelector(".opener").focus();
}
