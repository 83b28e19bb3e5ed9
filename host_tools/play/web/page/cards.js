// Cards: how a name of the record is written, spoken, sorted and drawn, the same in every game.

import {has, say} from "./words.js";

const PIPS = {S: "♠", H: "♥", D: "♦", C: "♣"};
const RANKS = "23456789TJQKA";
/** Whether a name is a card's: a reader may hold other tags. */
export function isCard(name) {
  return name === "back" || /^([2-9TJQKA][SHDC]|X[BR])2?$/.test(name);
}

function wordOr(key, otherwise) {
  return has(key) ? say(key) : otherwise;
}

/** What a tag is called that is no card. */
export function speakTag(name) {
  if (name.startsWith("player:")) return say("token", "", name.slice(7));
  return name === "stranger" || name === "arbiter" ? say(name) : name;
}

/** Rank and pip as players write them: 10♠, Д♦, ★b. */
export function write(card) {
  if (card === "back") return "";
  if (card[0] === "X") return `★${say(`joker${card[1]}`)}`;
  return wordOr(`write.${card[0]}`, card[0]) + PIPS[card[1]];
}

/** The two lines in a card's corner: its rank, its pip. */
export function corner(card) {
  return card[0] === "X" ? [write(card).slice(0, 1), write(card).slice(1)] : [write(card).slice(0, -1), PIPS[card[1]]];
}

/** The card's name as it is read aloud. */
export function speakCard(card) {
  if (!isCard(card)) return speakTag(card);
  if (card === "back") return say("faceDown");
  if (card[0] === "X") return say(`spoken.X${card[1]}`);
  return say("spokenCard", wordOr(`spoken.${card[0]}`, card[0]), say(`suit.${card[1]}`));
}

export function pip(suit) {
  return PIPS[suit] || "";
}

export function speakSuit(suit) {
  return suit ? say(`suit.${suit}`) : "";
}

export function isRed(card) {
  return card[0] === "X" ? card[1] === "R" : card[1] === "H" || card[1] === "D";
}

const pictures = new Map();

/** Take the pictures of cards from here: a file of its own brings them along. */
export function usePictures(found) {
  for (const [name, address] of Object.entries(found)) pictures.set(name, address);
}

/** The picture of a card: the second copy of a card looks like the first. */
export function pictureOf(card) {
  const name = card === "back" ? card : card.slice(0, 2);
  return pictures.get(name) || `cards/${name}.svg`;
}

/** A hand in order: by suit with trumps at the right, or by rank in games without suits. */
export function sortHand(cards, bySuit, trump) {
  const suits = "CDSH";
  const key = (card) => {
    if (card[0] === "X") return 9000 + card.charCodeAt(1);
    const rank = RANKS.indexOf(card[0]);
    const suit = card[1] === trump ? 7 : suits.indexOf(card[1]);
    return bySuit ? suit * 20 + rank : rank * 10 + suit;
  };
  return [...cards].sort((a, b) => key(a) - key(b) || (a < b ? -1 : 1));
}
