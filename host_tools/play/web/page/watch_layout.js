// Where everything lies for somebody who only looks: no screen, no own seat, every hand large enough to be read.

const GAP = 8;

/** Boxes as layout.js gives them. `hands`: whether hands are open, and need larger cards. */
export function layWatch({width, height, around, staged}) {
  const tall = width < 700;
  const boxes = {tall, seats: new Map(), own: null, glass: null, around};
  const feed = tall ? 0 : Math.min(320, width * 0.28);
  if (feed) boxes.feed = {x: width - feed, y: GAP, w: feed - GAP, h: height - 2 * GAP};
  const room = width - feed;
  const below = height < (tall ? 420 : 330) ? lines(boxes, around, room, height, staged) : tall ? rows(boxes, around, room, height, staged) : round(boxes, around, room, height, staged);
  boxes.middle = {x: GAP, y: below.top, w: room - 2 * GAP, h: below.floor - below.top};
  return boxes;
}

function seatBox(x, y, w, h, staged) {
  const card = Math.min(66, (h - 40) / 1.4);
  return {
    plate: {x, y, w, h}, reader: null,
    hand: {x: x + 6, y: y + 34, w: w - 12 - (staged ? card - 34 : 0), h: h - 40, card, rows: 1},
    refusal: {x: x + 4, y: y + 32, w: w - 8},
  };
}

/** Half of the seats along the top, the rest, still clockwise, below. */
function round(boxes, around, width, height, staged) {
  const above = Math.ceil(around.length / 2);
  const h = Math.min(132, Math.max(96, height * 0.2));
  around.forEach((seat, index) => {
    const inRow = index < above ? above : around.length - above;
    const column = index < above ? index : around.length - 1 - index;
    const w = Math.min(380, width / inRow - 12);
    const x = (width * (column + 0.5)) / inRow - w / 2;
    boxes.seats.set(seat.seat, seatBox(x, index < above ? 6 : height - h - 6, w, h, staged));
  });
  return {top: h + 14, floor: around.length > 1 ? height - h - 14 : height - 6};
}

/** A phone: two seats in a row, all above the middle. */
function rows(boxes, around, width, height, staged) {
  const inRow = around.length > 3 ? 2 : 1;
  const count = Math.ceil(around.length / inRow);
  const h = Math.max(66, Math.min(96, (height * 0.55) / count - 6));
  const w = (width - 6) / inRow - 6;
  around.forEach((seat, index) => {
    const x = 6 + (index % inRow) * (w + 6);
    boxes.seats.set(seat.seat, seatBox(x, 4 + Math.floor(index / inRow) * (h + 6), w, h, staged));
  });
  return {top: 4 + count * (h + 6), floor: height - 4};
}

/** Little room: each seat is one line, its name and its cards side by side; as many in a row as can be read. */
function lines(boxes, around, width, height, staged) {
  const inRow = Math.max(1, Math.min(around.length, Math.floor(width / 190)));
  const w = (width - 6) / inRow - 6;
  const h = 52;
  around.forEach((seat, index) => {
    const x = 6 + (index % inRow) * (w + 6);
    const y = 4 + Math.floor(index / inRow) * (h + 4);
    const hand = {x: x + 108, y: y + 6, w: w - 112 - (staged ? 34 : 0), h: h - 12, card: (h - 12) / 1.4, rows: 1};
    boxes.seats.set(seat.seat, {plate: {x, y, w: 102, h: 46}, line: true, reader: null, hand, refusal: null});
  });
  return {top: 4 + Math.ceil(around.length / inRow) * (h + 4), floor: height - 4};
}
