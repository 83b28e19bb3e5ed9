// A position as its own seat sees it, as rows of cards: the same for puzzles and drills.

import {say} from "./words.js";
import {pip} from "./cards.js";
import {make} from "./make.js";
import {cardOf, rowOf} from "./learn.js";

/** Elements for a view `{piles, trump}`; `own`: the seat that looks; `names`: of all seats. */
export function drawPosition(view, own, names) {
  const piles = (kind, seat) => view.piles.filter((pile) => pile.kind.replace(/[\d.]+$/, "") === kind && (seat === undefined || pile.seat === seat));
  const others = names.flatMap((name, index) => (index + 1 === own ? [] : drawSeat(piles, index + 1, name, false)));
  const parts = [make("div", {class: "others"}, ...others)];
  const middle = [...drawBout(piles), ...drawCentre(piles), ...drawStack(piles), ...drawStock(piles), ...drawClaim(piles)];
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

/** The turned trump and how many cards lie on it. */
function drawStock(piles) {
  const turned = piles("turned", 0).flatMap((pile) => pile.cards);
  const count = piles("stock").reduce((sum, pile) => sum + pile.count, 0);
  return turned.length || count ? [rowOf(turned, say("stock"), count ? say("downCount", count) : "")] : [];
}

/** Cal's BS: the last set with what was said of it, its cards once they are open, and the pile beneath. */
function drawClaim(piles) {
  const sets = piles("set").flatMap((pile) => [make("p", {class: "claim", text: `${say("set")}: ${pile.said || say("downCount", pile.count)}`}), ...(pile.cards.length ? [rowOf(pile.cards, say("lies"))] : [])]);
  return [...sets, ...piles("pile").map((pile) => rowOf([], say("pile"), say("downCount", pile.count)))];
}

/** Bailiff: the top cards, a raise that has begun, and what lies beneath. */
function drawStack(piles) {
  return ["raise", "front", "covered"].flatMap((kind) => piles(kind).map((pile) => rowOf(pile.cards, say(kind))));
}

/** Malice's centre: which rank each pile waits for, where that is told; else its top. */
function drawCentre(piles) {
  const centre = piles("centre").map((pile) => (pile.next ? make("span", {class: "waits", text: `${pile.slot}: ${say("centreNext", pile.next)}`}) : make("span", {class: "pile"}, ...pile.cards.slice(-1).map(cardOf))));
  return centre.length ? [make("figure", {class: "row"}, make("figcaption", {text: say("centrePiles")}), make("div", {class: "cards"}, ...centre))] : [];
}
