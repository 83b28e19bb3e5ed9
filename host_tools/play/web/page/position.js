// A position as its own seat sees it, as rows of cards: the same for puzzles and drills.

import {say} from "./words.js";
import {pip} from "./cards.js";
import {make} from "./make.js";
import {cardOf, rowOf} from "./learn.js";

/** Elements for a view `{piles, trump}`; `own`: the seat that looks; `names`: of all seats. */
export function drawPosition(view, own, names) {
  const piles = (kind, seat) => view.piles.filter((pile) => pile.kind.replace(/[\d.]+$/, "") === kind && (seat === undefined || pile.seat === seat));
  const parts = [];
  for (const [index, name] of names.entries()) {
    if (index + 1 !== own) parts.push(...drawSeat(piles, index + 1, name, false));
  }
  const middle = [...drawBout(piles), ...drawCentre(piles)];
  if (view.trump) middle.unshift(make("p", {class: "trump", text: say("trumpIs", pip(view.trump))}));
  parts.push(make("div", {class: "middle"}, ...middle));
  return [...parts, ...drawSeat(piles, own, names[own - 1], true)];
}

function drawSeat(piles, seat, name, isOwn) {
  const found = [];
  const [hand] = piles("hand", seat);
  const payoff = [...piles("turned", seat)];
  const sides = piles("side", seat);
  const label = (own, other) => say(isOwn ? own : other, "", name);
  if (payoff.length) found.push(rowOf(payoff.flatMap((pile) => pile.cards), label("yourPayoff", "payoffOf")));
  if (sides.length) found.push(make("figure", {class: "row"}, make("figcaption", {text: label("yourSides", "sides")}), make("div", {class: "cards"}, ...sides.map((pile) => make("span", {class: "pile"}, ...pile.cards.slice(-3).map(cardOf))))));
  if (hand) {
    const hidden = hand.count - hand.cards.length;
    found.push(rowOf(hand.cards, isOwn ? say("yours") : say(hidden ? "handOf" : "counted", "", name), hidden ? say("downCount", hidden) : ""));
  }
  return found.length ? [make("div", {class: isOwn ? "seat own" : "seat"}, ...found)] : [];
}

/** Durak's bout: each attack card with what covers it. */
function drawBout(piles) {
  const covers = new Map(piles("cover").map((pile) => [pile.slot, pile.cards]));
  const attacks = piles("attack").map((pile) => make("span", {class: "pair"}, ...pile.cards.concat(covers.get(pile.slot) || []).map(cardOf)));
  return attacks.length ? [make("figure", {class: "row"}, make("figcaption", {text: say("lies")}), make("div", {class: "cards"}, ...attacks))] : [];
}

/** Malice's centre: which rank each pile waits for. */
function drawCentre(piles) {
  const centre = piles("centre").map((pile) => make("span", {class: "waits", text: `${pile.slot}: ${say("centreNext", pile.next)}`}));
  return centre.length ? [make("figure", {class: "row"}, make("figcaption", {text: say("centrePiles")}), make("div", {class: "cards"}, ...centre))] : [];
}
