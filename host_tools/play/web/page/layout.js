// Where everything lies on the stage: boxes in pixels from the size of the window and what is at the table.
// It reads no element and changes none.

export const RATIO = 1.4;
const GAP = 8;
const LABEL = 20;
const SHORT = 620; // of a small phone's stage
export const NARROW = 200; // of a middle beside the screen
const ROW = 76; // a row of small cards with its label

/** All boxes of the stage: `seats` (by seat number), `own`, `glass`, `middle`, `feed`. */
export function lay({width, height, role, around, own, handCount, free, malice}) {
  const tall = width < 700;
  const others = own ? around.slice(1) : around;
  const boxes = {tall, seats: new Map()};
  const feedWidth = role === "public" && !tall ? 300 : 0;
  if (feedWidth) boxes.feed = {x: width - feedWidth, y: GAP, w: feedWidth - GAP, h: height - 2 * GAP};
  const room = width - feedWidth;
  const crowded = malice && others.length > 2; // five rows of piles
  boxes.own = own ? (tall ? ownTall(room, height, handCount, crowded) : ownWide(room, height)) : null;
  const floor = boxes.own ? boxes.own.top - 4 : height - GAP;
  const below = tall ? rowsOfSeats(boxes, others, room, free)
    : role === "public" ? roundOfSeats(boxes, others, room, floor) : arcOfSeats(boxes, others, room, floor, free, malice);
  layMiddle(boxes, {room, floor, below, malice, role, tall, free, others: others.length});
  return boxes;
}

/** How many rows a hand needs so that a quarter of each card can be hit. */
export function handRows(count, box, card, most) {
  const least = Math.max(30, card * (most > 2 ? 0.55 : 0.36));
  const inRow = Math.max(1, Math.floor((box.w - card) / least) + 1);
  return Math.max(1, Math.min(most, Math.ceil(count / inRow)));
}

function ownWide(width, height) {
  const cardH = Math.min(150, Math.max(104, height * 0.215));
  const top = height - cardH - 52;
  const side = Math.min(236, width * 0.22);
  const readerH = Math.min(cardH - 26, (side - 98) * RATIO); // a name and a part want 88 beside it
  return {
    top,
    plate: {x: GAP + readerH / RATIO + 8, y: top + 44, w: side - readerH / RATIO - 10, h: cardH},
    reader: {x: GAP, y: height - GAP - readerH, w: readerH / RATIO, h: readerH},
    prompt: {x: side + 16, y: top - 6, w: width - 2 * side - 32, h: 40},
    hand: {x: side + 16, y: top + 46, w: width - 2 * side - 32, h: cardH, card: cardH / RATIO, rows: 1},
    moves: {x: width - side, y: top, w: side - GAP, h: 38},
    keys: {x: width - side, y: top + 44, w: side - GAP, h: cardH, columns: 2},
  };
}

function ownTall(width, height, count, crowded) {
  const keys = {x: GAP, y: height - 58 - GAP, w: width - 2 * GAP, h: 58, columns: 4};
  const hand = {x: GAP, w: width - 2 * GAP, card: height < SHORT || crowded ? 60 : 74};
  hand.rows = handRows(count, hand, hand.card, 2);
  hand.h = hand.card * RATIO * (hand.rows === 1 ? 1 : 1.5);
  hand.y = keys.y - GAP - hand.h;
  const rowY = hand.y - 104;
  return {
    top: rowY,
    plate: {x: GAP + 62, y: rowY, w: width - 62 - 98 - 3 * GAP, h: 34},
    reader: {x: GAP, y: rowY + 10, w: 55, h: 77},
    prompt: {x: GAP + 62, y: rowY + 36, w: width - 62 - 2 * GAP, h: 64},
    moves: {x: width - 98 - GAP, y: rowY, w: 98, h: 32},
    hand,
    keys,
  };
}

/** The inner boxes of a small seat. */
function plateParts(x, y, w, free) {
  const head = 30;
  const readerW = 32;
  return {
    plate: {x, y, w, h: 84 + (free ? 32 : 0)},
    reader: {x: x + w - readerW - 5, y: y + 33, w: readerW, h: readerW * RATIO},
    hand: {x: x + 6, y: y + head + 4, w: w - readerW - 18, h: 42, card: 30, rows: 1},
    // Over the backs of the hand: beside the seat, and over nothing that others read.
    refusal: {x: x + 3, y: y + 31, w: w < 150 ? w - 6 : w - readerW - 12},
  };
}

/** Along the upper edge; from corner to corner in even steps where there are many, and in Malice, whose piles
 * fill the middle up to it, in a straight row. Two leave the room between them to the screen. */
function arcOfSeats(boxes, others, width, floor, free, malice) {
  const n = others.length;
  const w = Math.min(210, (width - 24) / Math.max(4, n) - 8);
  const radius = width / 2 - w / 2 - GAP;
  const plateH = 84 + (free ? 32 : 0);
  let below = GAP;
  others.forEach((seat, index) => {
    const angle = Math.PI * (1 - (index + 1) / (n + 1));
    const across = (malice && n > 1) || n > 3 ? (2 * index) / (n - 1) - 1
      : n === 2 ? (2 * index - 1) * Math.max(0.5, (w / 2 + 144) / radius) : Math.cos(angle);
    const x = width / 2 + radius * across - w / 2;
    const y = 6 + (malice || n < 3 ? 0 : 1 - Math.sin(angle)) * Math.max(0, (floor - plateH) * 0.5);
    boxes.seats.set(seat.seat, plateParts(x, y, w, free));
    below = Math.max(below, n === 2 ? 0 : y + (Math.abs(x + w / 2 - width / 2) < 260 ? plateH + GAP : 0));
  });
  return below;
}

/** A public table has no seat at the bottom: half of the seats sit along the top, the rest, still clockwise, below. */
function roundOfSeats(boxes, others, width, floor) {
  const above = Math.ceil(others.length / 2);
  others.forEach((seat, index) => {
    const inRow = index < above ? above : others.length - above;
    const column = index < above ? index : others.length - 1 - index;
    const w = Math.min(230, width / inRow - 12);
    const x = (width * (column + 0.5)) / inRow - w / 2;
    boxes.seats.set(seat.seat, plateParts(x, index < above ? 6 : floor - 94, w, false));
  });
  return 84 + GAP + 6;
}

function rowsOfSeats(boxes, others, width, free) {
  const inRow = others.length > 3 ? Math.ceil(others.length / 2) : Math.max(1, others.length);
  const gap = 6;
  const w = Math.min(190, (width - gap) / inRow - gap);
  const step = 84 + (free ? 32 : 0) + gap;
  others.forEach((seat, index) => {
    const row = Math.floor(index / inRow);
    const inThis = Math.min(inRow, others.length - row * inRow);
    const left = (width - inThis * (w + gap) + gap) / 2;
    boxes.seats.set(seat.seat, plateParts(left + (index % inRow) * (w + gap), 4 + row * step, w, free));
  });
  return 4 + Math.ceil(others.length / inRow) * step;
}

function layMiddle(boxes, {room, floor, below, malice, role, tall, free, others}) {
  const big = role === "public" && !tall;
  const end = floor - (big ? 100 : 0); // of the cards: there are seats below them
  const wanted = big ? 3 : tall && (others > 3 || malice) ? 1.5 : 2;
  // On a small phone the cards need the room more than the screen does, and beside it those of Malice.
  const fits = (scale) => (tall ? floor - below - 64 * scale >= 130 : !malice || room - 2 * (128 * scale + 68) >= 370);
  const scale = [wanted, tall ? 1.5 : 2, big ? 1.5 : 2].find(fits) || (tall ? 1 : 0);
  if (malice && (tall ? role !== "public" : !scale)) { // what the screen says stands in prompt and news
    const top = tall ? below : Math.max(below, free ? 130 : 98);
    boxes.glass = null;
    boxes.middle = {x: 20, y: top, w: room - 40, h: end - top}; // a label is wider than its card
    return;
  }
  const glass = {w: 128 * scale + 16, h: 64 * scale + 16, scale};
  if (malice && !tall) {
    boxes.glass = {...glass, x: 44, y: Math.max(free ? 130 : 110, (floor - glass.h) / 2)};
    boxes.middle = {x: glass.w + 52, y: below + 4, w: room - 2 * (glass.w + 52), h: end - below - 8};
    return;
  }
  if (tall && floor - below - glass.h < ROW) {
    // Many seats, a long hand, a low window: the cards lie beside the screen.
    boxes.glass = {...glass, x: GAP, y: below};
    boxes.middle = {x: glass.w + 2 * GAP, y: below, w: room - glass.w - 3 * GAP, h: floor - below};
    return;
  }
  boxes.glass = {...glass, x: (room - glass.w) / 2, y: below + (others === 2 && !tall ? 6 : 0)};
  const top = boxes.glass.y + glass.h + 6;
  const inset = tall ? 12 : big ? 40 : Math.max(20, room * 0.08);
  boxes.middle = {x: inset, y: top, w: room - 2 * inset, h: end - top};
}

/** Lay rows of groups into a box: each group is {w, h} in card widths and heights; returns the card's width and each group's corner. */
export function flow(rows, box, most) {
  const gap = 0.22;
  let card = most;
  const labels = rows.map((row) => (row.some((group) => group.label) ? LABEL : 6));
  const high = labels.reduce((sum, one) => sum + one + 4, 0);
  let tallness = 0;
  for (const row of rows) {
    const wide = row.reduce((sum, group) => sum + group.w + gap, -gap);
    card = Math.min(card, box.w / wide);
    tallness += Math.max(...row.map((group) => group.h));
  }
  const room = Math.min(card, (box.h - high) / (tallness * RATIO)); // the card that fits; it gets no smaller than can be read
  card = Math.max(box.w < NARROW ? 15 : 24, room);
  const used = high + tallness * RATIO * card;
  let y = box.y + Math.max(0, (box.h - used) / 2);
  const corners = [];
  for (const [index, row] of rows.entries()) {
    const wide = row.reduce((sum, group) => sum + group.w + gap, -gap) * card;
    let x = box.x + (box.w - wide) / 2;
    for (const group of row) {
      corners.push({...group, x, y: y + labels[index], w: group.w * card, h: group.h * card * RATIO});
      x += (group.w + gap) * card;
    }
    y += labels[index] + 4 + Math.max(...row.map((group) => group.h)) * RATIO * card;
  }
  return {card, room, corners};
}

/** Left edges of `count` cards of width `card` in a row of `width`, centred, overlapping where they must. */
export function spread(count, card, width, most = card + 6) {
  const step = count > 1 ? Math.min(most, (width - card) / (count - 1)) : 0;
  const start = Math.max(0, (width - card - step * (count - 1)) / 2);
  return Array.from({length: count}, (_, index) => start + index * step);
}
