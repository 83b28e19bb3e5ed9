// Which own cards the table would take now: they stand out where this browser shows it (reading.js).

import {model} from "./model.js";

/** "yes" for a card with a move that would stand, "no" for another one; null where no card is asked for. */
export function fits(seat, card) {
  const can = model.can.get(seat);
  if (!can || !can.moves.some((move) => move.card)) return null;
  return can.moves.some((move) => move.card === card) ? "yes" : "no";
}
