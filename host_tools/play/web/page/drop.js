// Where a card goes that is dragged onto the table: a pile or a card that would take it, else the felt, which is a tap.
// What would be taken is what the table said (`can.moves`); whatever fits nothing is tapped, and the table says why not.

import {isOwn, model, pilesOf} from "./model.js";

const NEAR = 14; // pixels round a pile that still mean it

/** The moves that the seat could make with the card. */
function movesWith(seat, card) {
  const can = model.can.get(seat);
  return can ? can.moves.filter((move) => move.card === card) : [];
}

/** The place of the pile that a move goes to: the card to beat, a pile by its number; "" for one that names none. */
function placeOf(move, seat) {
  if (move.target === null || move.target === undefined || move.target === "") return "";
  const own = `${move.verb}${seat}.${move.target}`;
  if (move.verb === "side") return own;
  const beaten = model.view.piles.find((pile) => pile.kind === "attack" && pile.cards.includes(String(move.target)));
  return beaten ? beaten.place : `${move.verb}${move.target}`;
}

/** Where the card would be taken: places of piles, each with its move. */
export function takers(seat, card) {
  return new Map(movesWith(seat, card).map((move) => [placeOf(move, seat), move]).filter(([place]) => place));
}

/** Let the piles shine that would take the card; without one none does. */
export function shine(seat, card) {
  const places = card ? new Set(takers(seat, card).keys()) : new Set();
  for (const group of document.querySelectorAll("[data-pile]")) group.classList.toggle("takes", places.has(group.dataset.pile));
}

/** The pile of the middle that lies at a point of the window, the nearest one. */
function pileAt(x, y, dragged) {
  let best = "";
  let least = Infinity;
  for (const part of document.querySelectorAll("#middle [data-pile] > *")) {
    if (part === dragged) continue;
    const box = part.getBoundingClientRect();
    const isNear = x >= box.left - NEAR && x <= box.right + NEAR && y >= box.top - NEAR && y <= box.bottom + NEAR;
    const far = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
    if (isNear && far < least) [best, least] = [part.parentElement.dataset.pile, far];
  }
  return best;
}

/** Whether the point lies on the table, above the own hand and what stands beside it. */
function isFelt(x, y) {
  const cards = Array.from(document.querySelectorAll("#own .card.own:not(.dragged)"), (card) => card.getBoundingClientRect().top);
  const top = Math.min(...cards);
  return y < (Number.isFinite(top) ? top : innerHeight * 0.6) - 8 && y > document.getElementById("stage").getBoundingClientRect().top;
}

/**
 * What a card dropped there means: a move, "tap", or null where it only goes back to the hand. A pile that would take it
 * names the move; beside the cards of a bout a transfer is meant, if there is one.
 */
export function meaningOf(seat, card, x, y, dragged) {
  if (!isOwn(seat)) return null;
  const place = pileAt(x, y, dragged);
  const move = takers(seat, card).get(place.replace(/^cover/, "attack"));
  if (move) return move;
  if (place && place === dragged.dataset.place) return null;
  if (!place && !isFelt(x, y)) return null;
  const beside = place ? [] : movesWith(seat, card).filter((one) => one.verb === "transfer");
  return beside.length === 1 && pilesOf("attack").length ? beside[0] : "tap";
}
