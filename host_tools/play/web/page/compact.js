// Where everything lies on a small stage: a seat's phone, upright or on its side, and any page under SHORT in height.
// The other seats are strips along the top, the bout has the middle, hand and buttons the rest. There is no screen.

import {RATIO, handRows} from "./layout.js";

export const SHORT = 460; // of a stage: a phone on its side, a browser at 200 % zoom
const GAP = 6;
const STRIP = 46; // a seat of the others: light and name, below them its part and how many cards it has
const KEY = 50;

/** Boxes as layout.js gives them, of a stage upright or on its side; of Malice `piles` says how
 * many others have a row of piles, which want the room. */
export function layCompact({width, height, around, own, handCount, malice}) {
  const others = own ? around.slice(1) : around;
  const boxes = {tall: true, compact: true, seats: new Map(), glass: null, own: null};
  const wide = width > height;
  const below = strips(boxes, others, width, wide);
  const piles = malice ? others.length : 0;
  if (!own) boxes.middle = {x: GAP, y: below, w: width - 2 * GAP, h: height - below - GAP};
  else if (wide) layWide(boxes, width, height, below, handCount, piles);
  else layUpright(boxes, width, height, below, handCount, piles);
  return boxes;
}

/** The other seats, as many side by side as can be read; returns where the rest begins. */
function strips(boxes, others, width, wide) {
  const most = Math.max(1, Math.floor((width - GAP) / (wide ? 126 : 120)));
  const rows = Math.ceil(others.length / most) || 0;
  const inRow = Math.ceil(others.length / Math.max(1, rows)) || 1;
  const w = Math.min(220, (width - GAP) / inRow - GAP);
  others.forEach((seat, index) => {
    const row = Math.floor(index / inRow);
    const inThis = Math.min(inRow, others.length - row * inRow);
    const left = (width - inThis * (w + GAP) + GAP) / 2;
    boxes.seats.set(seat.seat, strip(left + (index % inRow) * (w + GAP), 4 + row * (STRIP + 4), w));
  });
  return 4 + rows * (STRIP + 4);
}

function strip(x, y, w) {
  const heap = (right) => ({x: x + w - right, y: y + 25, w: 13, h: 18, card: 13});
  return {plate: {x, y, w, h: STRIP}, small: true, reader: {x: x + w - 24, y: y + 1, w: 20, h: 25}, refusal: null, hand: heap(19), staged: heap(58)};
}

function layUpright(boxes, width, height, below, count, piles) {
  const keys = {x: GAP, y: height - 2 * KEY - 2 * GAP, w: width - 2 * GAP, h: 2 * KEY + GAP, columns: 2};
  if (height < 640 || piles > 1) Object.assign(keys, {y: height - KEY - GAP, h: KEY, columns: 4});
  const readerH = 104;
  const readerW = readerH / RATIO;
  const room = keys.y - below - readerH - 44 - 4 * GAP; // for the bout and the hand
  const hand = {x: GAP, w: width - 2 * GAP};
  fit(hand, count, room * (piles > 2 ? 0.18 : piles ? 0.3 : 0.44), piles ? 84 : 120);
  hand.y = keys.y - 44 - GAP - hand.h;
  const top = hand.y - readerH - GAP;
  boxes.own = {
    top, phone: true, keys, hand,
    plate: {x: GAP, y: top, w: width - readerW - 3 * GAP, h: 32},
    prompt: {x: GAP, y: top + 32, w: width - readerW - 3 * GAP, h: readerH - 32},
    reader: {x: width - GAP - readerW, y: top, w: readerW, h: readerH},
    moves: {x: width - 110 - GAP, y: keys.y - 44, w: 110, h: 40},
  };
  boxes.middle = {x: GAP, y: below, w: width - 2 * GAP, h: top - below - 2};
}

function layWide(boxes, width, height, below, count, piles) {
  const side = Math.min(210, width * 0.27);
  const x = width - side - GAP;
  const handH = piles > 1 ? 72 : Math.min(112, Math.max(72, (height - below) * 0.38));
  const readerW = handH / RATIO;
  const hand = {x: readerW + 2 * GAP, w: x - readerW - 4 * GAP};
  fit(hand, count, handH, handH / RATIO, 1);
  hand.y = height - GAP - hand.h;
  const keysH = Math.min(2 * KEY + GAP, (height - below) * 0.4);
  const keysY = height - GAP - keysH;
  boxes.own = {
    top: hand.y, phone: true, hand,
    keys: {x, y: keysY, w: side, h: keysH, columns: 2},
    moves: {x, y: keysY - 40, w: side, h: 36},
    plate: {x, y: below, w: side, h: 48},
    prompt: {x, y: below + 50, w: side, h: keysY - 42 - below - 50},
    reader: {x: GAP, y: height - GAP - handH, w: readerW, h: handH},
  };
  boxes.middle = {x: GAP, y: below, w: x - 3 * GAP, h: hand.y - below - 12};
}

/** The largest cards of which every row shows at least two thirds, and every card a third; sets card, rows and h. */
function fit(hand, count, room, most, rowsAtMost = 4) {
  for (hand.card = Math.floor(most); hand.card > 40; hand.card -= 2) {
    hand.rows = handRows(count, hand, hand.card, rowsAtMost);
    const inRow = Math.ceil(count / hand.rows);
    const fits = inRow < 2 || (hand.w - hand.card) / (inRow - 1) >= hand.card * 0.34;
    if (fits && (0.33 + 0.67 * hand.rows) * hand.card * RATIO <= room) break;
  }
  hand.h = Math.max(hand.card * RATIO, Math.min(room, hand.card * RATIO * (0.33 + 0.67 * hand.rows)));
}
