// The cards on the table: one element a card, kept while the card stays in sight, moved by transforms.
// It draws what `view` says and decides nothing: what is not in the message is not known here.

import {countCards, say} from "./words.js";
import {corner, isCard, isRed, pictureOf, pip, sortHand, speakCard} from "./cards.js";
import {gameName, handOf, inLobby, isOwn, kindOf, model, nameOf, pilesOf, trumpSuit} from "./model.js";
import {flow, NARROW, RATIO, spread} from "./layout.js";
import {fits} from "./fits.js";
import {keyed, make, place, set, write} from "./make.js";

const MOVE_MS = 240;
// What a game's middle always shows, cards there or not: an empty place is one where cards go.
const PLACES = {
  durak: ["stock", "discard"],
  "cals-bs": ["pile", "set"],
  bailiff: ["stock", "covered", "front", "discard"],
  malice: ["stock"],
};

const nodes = new Map();
const boxes = new WeakMap();
const given = new WeakMap(); // the transform of a card that was put there, as its style gives it back
let before = new Map();
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** The element of a pile's card, for those who drag or choose it. */
export function cardNodes() {
  return Array.from(nodes.values());
}

/** Draw all piles; `lay` are the boxes of the layout, `sections` tell where a seat's cards belong. */
export function drawTable(lay, sections) {
  const specs = [];
  if (!inLobby()) {
    if (lay.middle) specs.push(...layMiddleCards(lay));
    for (const [seat, parts] of partsOf(lay)) specs.push(...laySeatCards(seat, parts));
  }
  specs.push(...layReaders(lay));
  drawLabels(specs, lay);
  drawPiles(specs, sections);
}

function partsOf(lay) {
  const all = new Map(lay.seats);
  if (lay.own) all.set(model.bottom, lay.own);
  return all;
}

function countOf(pile) {
  return Math.max(pile.count, pile.cards.length);
}

/** Each card of a pile with its key: seen ones by name, the rest as backs of their place. */
function cardsOf(pile, most = 99) {
  const hidden = Math.min(most, countOf(pile) - pile.cards.length);
  const backs = Array.from({length: Math.max(0, hidden)}, (_, index) => ({card: "back", key: `${pile.place}~${index}`}));
  return backs.concat(pile.cards.map((card) => ({card, key: card})));
}

function laySeatCards(seat, parts) {
  const own = isOwn(seat) && seat === model.bottom;
  const specs = [];
  const pile = handOf(seat);
  if (pile && parts.hand) {
    const sorted = {...pile, cards: sortHand(pile.cards, gameName() === "durak", trumpSuit())};
    specs.push(parts.small ? layHeap(pile, parts.hand, say("hand")) : layHand(sorted, parts.hand, own));
  }
  if (own) return specs;
  for (const staged of pilesOf("staged", seat)) specs.push(parts.small ? layHeap(staged, parts.staged, say("staged")) : layStaged(staged, parts));
  return specs;
}

function layHand(pile, box, own) {
  const cards = cardsOf(pile);
  const rows = box.rows || 1;
  const inRow = Math.ceil(cards.length / rows);
  const height = box.card * RATIO;
  const staged = pilesOf("staged", pile.seat).length && !own ? 34 : 0;
  const stepY = rows > 1 ? Math.min(height + 6, (box.h - height) / (rows - 1)) : 0;
  cards.forEach((spec, index) => {
    const row = Math.floor(index / inRow);
    const count = Math.min(inRow, cards.length - row * inRow);
    const lefts = spread(count, box.card, box.w - staged, own ? box.card + 8 : box.card * 0.5);
    Object.assign(spec, {x: box.x + lefts[index - row * inRow], y: box.y + row * stepY, w: box.card});
  });
  const owner = pile.seat === model.bottom && own ? say("yourHand") : `${nameOf(pile.seat)}, ${say("hand")}`;
  return {place: pile.place, seat: pile.seat, cards, own, name: `${owner}: ${countCards(countOf(pile))}`};
}

/** The cards of a seat that has room for one alone: its strip says how many there are. */
function layHeap(pile, box, kind) {
  const cards = cardsOf(pile, 1).slice(-1).map((one) => ({...one, key: `${one.key}, still`, still: true, x: box.x, y: box.y, w: box.card}));
  return {place: pile.place, seat: pile.seat, cards, moved: countOf(pile), name: `${nameOf(pile.seat)}, ${kind}: ${countCards(countOf(pile))}`};
}

function layStaged(pile, parts) {
  const cards = cardsOf(pile);
  const lefts = spread(cards.length, parts.hand.card, 34, 5);
  cards.forEach((spec, index) => {
    Object.assign(spec, {x: parts.hand.x + parts.hand.w - 34 + lefts[index], y: parts.hand.y + 3, w: parts.hand.card});
  });
  return {place: pile.place, seat: pile.seat, cards, name: `${nameOf(pile.seat)}, ${say("staged")}: ${countCards(countOf(pile))}`};
}

function layReaders(lay) {
  const specs = [];
  for (const pile of pilesOf("reader")) {
    const found = Array.from(partsOf(lay)).find(([seat]) => placeOf(seat) === pile.reader);
    const box = found ? found[1].reader : (lay.spare || new Map()).get(pile.reader);
    if (!box) continue;
    const cards = cardsOf(pile);
    const w = Math.min(box.w - 6, (box.h - 6) / RATIO);
    cards.forEach((spec, index) => Object.assign(spec, {
      x: box.x + (box.w - w) / 2 + index * 7, y: box.y + (box.h - w * RATIO) / 2 + index * 7, w, reader: pile.reader,
    }));
    const owner = found ? say("reader", "", nameOf(found[0])) : say("readerOf", pile.reader);
    specs.push({place: `reader${pile.reader}`, seat: found ? found[0] : 0, cards, name: `${owner}: ${countCards(countOf(pile))}`});
  }
  return specs;
}

function placeOf(number) {
  const seat = model.table.seats.find((one) => one.seat === number);
  return seat ? seat.place : number;
}

// --- the middle ---

/** A pile that lies as one stack: its top card, its count beside its name. */
function stack(place, label) {
  return {kind: "stack", place, label, w: 1, h: 1};
}

/** The middle lies beside the screen, on a small phone: its labels are small, too. */
function isNarrow(lay) {
  return lay.middle.w < NARROW;
}

/** Ways to arrange the middle: rows of groups that lie side by side. `card`: about how wide a card will be. */
function groupsOf(lay, card) {
  const game = gameName();
  const kinds = new Set(model.view.piles.map(kindOf));
  const shown = (kind) => kinds.has(kind) || (PLACES[game] || []).includes(kind);
  const fan = (place, label, most) => {
    const pile = model.view.piles.find((one) => one.place === place);
    const count = pile ? countOf(pile) : 0;
    // As wide as its label, so that labels side by side stay apart.
    const least = isNarrow(lay) ? ((label.length + 2) * 6.4) / card : ((label.length + 4) * 7.5) / card;
    return {kind: "fan", place, label, w: Math.max(Math.min(most, 1 + 0.42 * Math.max(0, count - 1)), Math.min(5, least)), h: 1};
  };
  if (game === "malice") return maliceWays(lay);
  const left = [];
  const trump = trumpSuit();
  const empty = game === "durak" && !kinds.has("stock") && !pilesOf("turned", 0).length && trump;
  // When the last card is drawn its place keeps telling the trump.
  const stockLabel = empty ? `${say("trump")} ${pip(trump)}` : say("stock");
  if (shown("stock")) left.push({...stack("stock", stockLabel), w: pilesOf("turned", 0).length ? 1.75 : 1});
  else if (pilesOf("turned", 0).length) left.push(stack("turned", say("trump")));
  const right = shown("discard") ? [stack("discard", say("discard"))] : [];
  const pairs = pairSlots().map((slot) => ({kind: "pair", place: `attack${slot}`, slot, label: "", w: 1.26, h: 1.24}));
  const fans = [];
  if (shown("covered")) left.push(stack("covered", say("covered")));
  if (shown("pile")) left.push(stack("pile", say("pile")));
  if (shown("front")) fans.push(fan("front", say("front"), 2.7));
  if (kinds.has("raise")) fans.push(fan("raise", say("raise"), 2.7));
  if (shown("set")) fans.push(fan("set", (pilesOf("set")[0] || {}).said || say("set"), 3.2));
  for (const pile of pilesOf("staged", model.bottom)) {
    if (isOwn(pile.seat)) fans.push(fan(pile.place, say("staged"), 3.2));
  }
  if (game === "durak" && !pairs.length) pairs.push({kind: "room", place: "", label: "", w: 1.26, h: 1.24});
  const rows = (inRow) => Array.from({length: Math.ceil(pairs.length / inRow)}, (_, row) => pairs.slice(row * inRow, (row + 1) * inRow));
  return [
    [[...left, ...fans, ...pairs.slice(0, 6), ...right], ...rows(6).slice(1)],
    [[...left, ...pairs.slice(0, 3), ...right], fans, ...rows(3).slice(1)],
    [[...left, ...right], fans, ...rows(3)],
    [[...left, ...right], fans, ...rows(4)],
  ].map((arrangement) => arrangement.filter((row) => row.length));
}

function pairSlots() {
  const slots = new Set(pilesOf("attack").concat(pilesOf("cover")).map((pile) => pile.slot));
  return Array.from(slots).sort((a, b) => a - b);
}

/** The others' piles in one row, in one each, or all seats' by twos; where there is little room all seats' side by side. */
function maliceWays(lay) {
  const {others, centre, own} = maliceRows(lay);
  const gap = {kind: "gap", place: "", label: "", w: 0.3, h: 1};
  const beside = (rows) => rows.filter((row) => row.length).flatMap((row, at) => (at ? [gap, ...row] : row));
  const ways = [[beside(others), centre, own]];
  if (others.length > 1) {
    ways.push([...others, centre, own]);
    ways.push([beside(others.slice(0, 2)), centre, beside([...others.slice(2), own])]);
  }
  if (lay.compact || lay.words) ways.push([beside([...others, own]), centre]);
  return ways.map((rows) => rows.filter((row) => row.length));
}

function maliceRows(lay) {
  const four = [1, 2, 3, 4];
  const order = lay.around.map((seat) => seat.seat);
  // The rows lie as their seats sit: an own seat at the bottom, without one the last seat; the first at the top.
  const [mine, theirs] = lay.own ? [order[0], order.slice(1)] : [order[order.length - 1], order.slice(0, -1)];
  // Of several others each payoff pile has its seat's name, which wants a wider place.
  const first = theirs.length > 1 ? {w: 1.9, isWide: true} : {};
  const label = (seat) => (theirs.length > 1 && seat !== mine ? nameOf(seat) : say("payoff"));
  const row = (seat) => [
    {...stack(pilesOf("turned", seat).length ? `turned${seat}` : `payoff${seat}`, label(seat)), ...first, mayLack: theirs.length < 2 || seat === mine},
    ...four.map((slot) => ({kind: "side", place: `side${seat}.${slot}`, label: say("side", slot), w: 1, h: 1.2})),
  ];
  const centre = [{...stack("stock", say("stock")), ...first, mayLack: true}, ...four.map((slot) => stack(`centre${slot}`, say("centre", slot)))];
  return {others: theirs.map(row), centre, own: mine ? row(mine) : []};
}

function layMiddleCards(lay) {
  const most = lay.tall ? 74 : 104;
  // The way with the largest cards; the first of equals.
  const largest = (about) => groupsOf(lay, about).map((rows) => flow(rows, lay.middle, most)).reduce((best, one) => (one.room > best.room ? one : best));
  const {card, corners} = largest(largest(most).card);
  const specs = [];
  for (const group of corners) {
    const pile = model.view.piles.find((one) => one.place === group.place);
    if (group.kind === "pair") specs.push(...layPair(group, card));
    else if (group.kind === "fan") specs.push(layFan(pile, group, card));
    else if (group.kind === "side") specs.push(laySide(pile, group, card));
    else if (group.kind === "stack") specs.push(...layStack(pile, group, card));
    else if (group.kind !== "gap") specs.push({place: "", label: "", cards: [], outline: {x: group.x, y: group.y, w: card, h: card * RATIO}});
  }
  return specs;
}

function named(pile, group, cards, more) {
  const count = pile ? countOf(pile) : 0;
  const label = group.label;
  return {
    place: group.place, seat: 0, cards, count, label, ...more,
    name: `${label}: ${count ? countCards(count) : say("empty")}`, at: {x: group.x, y: group.y - 20},
  };
}

function layStack(pile, group, card) {
  const specs = [];
  const outline = {x: group.x, y: group.y, w: card, h: card * RATIO};
  const turned = group.place === "stock" ? pilesOf("turned", 0)[0] : null;
  if (turned) {
    const cards = cardsOf(turned).map((one) => ({
      ...one, x: group.x + card * 0.42 + card * RATIO, y: group.y + card * 0.2, w: card, turn: 90,
    }));
    specs.push({place: turned.place, seat: 0, cards, name: say("trump")});
  }
  const lying = pile ? cardsOf(pile, 1) : [];
  // Of face-down cards one back stands for all; face-up ones lie on each other, the top one last.
  const cards = lying.map((one) => ({...one, x: group.x, y: group.y, w: card, deep: pile && countOf(pile) > 1}));
  // The number over the next pile is short: a name may reach nearly to that pile.
  const spec = named(pile, group, cards, group.isWide ? {outline, wide: group.w + 0.1 * card, mayLack: group.mayLack} : {outline});
  if (turned) {
    // The trump is the last card of the stock: the screen counts it, too.
    spec.count += countOf(turned);
    spec.name = `${group.label}: ${countCards(spec.count)}`;
  }
  const payoff = /^turned(\d)$/.exec(group.place);
  if (payoff) {
    const under = pilesOf("payoff", Number(payoff[1]))[0];
    const rest = under ? countOf(under) : 0;
    spec.count += rest;
    spec.name = `${group.label}: ${countCards(spec.count)}`;
    spec.cards.forEach((one) => { one.deep = rest > 0; });
  }
  if (payoff || /^payoff\d$/.test(group.place)) {
    spec.name = `${nameOf(Number(group.place.slice(-1)))}, ${spec.name}`;
  }
  specs.push(spec);
  return specs;
}

function layFan(pile, group, card) {
  const cards = pile ? cardsOf(pile) : [];
  const lefts = spread(cards.length, card, group.w);
  cards.forEach((one, index) => Object.assign(one, {x: group.x + lefts[index], y: group.y, w: card}));
  const outline = {x: group.x + (group.w - card) / 2, y: group.y, w: card, h: card * RATIO};
  const spec = named(pile, group, cards, {outline, wide: group.w});
  if (pile && pile.said) Object.assign(spec, {name: pile.said, count: 0, moved: countOf(pile)});
  return spec;
}

/** A side pile: each card lower than the one that it lies on, by its rank where there is room. */
function laySide(pile, group, card) {
  const cards = pile ? cardsOf(pile) : [];
  const step = Math.min(card * 0.24, 20 / Math.max(1, cards.length - 1));
  cards.forEach((one, index) => Object.assign(one, {x: group.x, y: group.y + step * index, w: card}));
  const spec = named(pile, group, cards, {outline: {x: group.x, y: group.y, w: card, h: card * RATIO}});
  spec.name = `${nameOf(Number(/\d/.exec(group.place)[0]))}, ${spec.name}`;
  return spec;
}

function layPair(group, card) {
  const specs = [];
  for (const [kind, dx, dy] of [["attack", 0, 0], ["cover", 0.26, 0.24 * RATIO]]) {
    const pile = pilesOf(kind).find((one) => one.slot === group.slot);
    if (!pile) continue;
    const cards = cardsOf(pile).map((one) => ({...one, x: group.x + dx * card, y: group.y + dy * card, w: card}));
    specs.push({place: pile.place, seat: 0, cards, name: `${say("attack")} ${group.slot}`});
  }
  return specs;
}

// --- elements ---

function drawLabels(specs, lay) {
  const shown = specs.filter((spec) => spec.label && spec.at);
  const parent = document.getElementById("labels");
  parent.classList.toggle("small", !!lay.middle && isNarrow(lay));
  set(parent, "aria-hidden", "true");
  const made = keyed(parent, shown, (spec) => spec.place, () => make("div", {class: "label"}, make("span"), make("b")));
  shown.forEach((spec, index) => {
    const [label, count] = made[index].children;
    const words = shortLabel(spec);
    write(label, words);
    write(count, countWords(spec, words));
    made[index].classList.toggle("wide", !!spec.wide);
    place(made[index], {...spec.at, w: spec.wide || Math.max(spec.outline ? spec.outline.w : 0, 40)});
  });
}

/** How many cards: behind a number so that the two do not read like one, and not where the next pile is too near for it. */
function countWords({count, outline}, words) {
  if (!count) return "";
  if (!/^\d+$/.test(words)) return String(count);
  return outline.w < 32 ? "" : `×${count}`;
}

/** The name over a pile; over a narrow one its number, or nothing. Of a wide one only a name that its place tells anyway may lack. */
function shortLabel({label, outline, wide, mayLack}) {
  if (wide) return mayLack && wide < 7.2 * (label.length + 4) ? "" : label;
  if (!outline || outline.w >= 60) return label;
  return outline.w < 42 && !/\d$/.test(label) ? "" : label.replace(/^.* (?=\d+$)/, "");
}

function drawPiles(specs, sections) {
  const live = new Set();
  const now = new Map();
  for (const spec of specs) now.set(spec.place, {count: spec.moved || spec.count || spec.cards.length, at: spec.cards[0] || spec.outline});
  const shrunk = changed(now, -1);
  const grown = changed(now, 1);
  const bySection = new Map();
  for (const spec of specs) {
    const section = sections(spec);
    if (!section) continue;
    if (!bySection.has(section)) bySection.set(section, []);
    bySection.get(section).push(spec);
  }
  const focused = document.activeElement;
  for (const [section, own] of bySection) {
    const groups = keyed(section, own, (spec) => spec.place || "room", () => make("div", {class: "pile", role: "group"}));
    own.forEach((spec, index) => drawPile(groups[index], spec, live, shrunk));
  }
  for (const section of document.querySelectorAll(".piles")) if (!bySection.has(section)) section.replaceChildren();
  for (const [key, node] of nodes) if (!live.has(key)) leave(key, node, grown);
  if (focused && focused !== document.activeElement && focused.isConnected && focused.matches(".card")) focused.focus();
  before = now;
}

/** Piles that have lost (-1) or won (1) cards since the last drawing, with where they lie. */
function changed(now, sign) {
  const places = new Set([...now.keys(), ...before.keys()]);
  const found = [];
  for (const key of places) {
    const difference = ((now.get(key) || {}).count || 0) - ((before.get(key) || {}).count || 0);
    if (Math.sign(difference) === sign) found.push({place: key, at: (now.get(key) || {}).at || (before.get(key) || {}).at});
  }
  return found.filter((one) => one.at);
}

function drawPile(group, spec, live, shrunk) {
  set(group, "data-pile", spec.place || null);
  set(group, "aria-label", spec.name);
  let outline = group.querySelector(".outline");
  if (spec.outline && !outline) group.prepend(outline = make("i", {class: "outline"}));
  if (outline) place(outline, spec.outline || null);
  const offset = outline ? 1 : 0;
  spec.cards.forEach((one, index) => {
    live.add(one.key);
    let node = nodes.get(one.key);
    if (!node) nodes.set(one.key, node = makeCard(one));
    const fresh = !node.isConnected;
    if (group.children[index + offset] !== node) group.insertBefore(node, group.children[index + offset] || null);
    one.place = spec.place;
    dress(node, one, spec);
    const source = fresh && before.size ? shrunk.find((pile) => pile.place !== spec.place) : null;
    put(node, one, source && source.at);
  });
}

function makeCard(one) {
  const watched = model.role === "public" || one.still;
  const node = make(watched ? "span" : "button", {class: "card", role: watched ? "img" : null, type: watched ? null : "button", "data-card": one.card});
  if (!watched) node.tabIndex = -1;
  if (!isCard(one.card)) {
    node.append(make("span", {class: "tagname", "aria-hidden": "true"}));
    return node;
  }
  node.append(make("img", {src: pictureOf(one.card), alt: "", draggable: "false"}));
  if (one.card !== "back") {
    for (const name of ["corner", "corner foot"]) {
      node.append(make("span", {class: name, "aria-hidden": "true"}, make("b"), make("i")));
    }
    node.classList.toggle("red", isRed(one.card));
  }
  return node;
}

function dress(node, one, spec) {
  set(node, "aria-label", speakCard(one.card));
  const tag = node.querySelector(".tagname");
  if (tag) write(tag, speakCard(one.card));
  for (const mark of node.querySelectorAll(".corner")) writeCorner(mark, one.card);
  set(node, "data-place", spec.place);
  set(node, "data-owner", spec.seat || null);
  set(node, "data-on", one.reader || null);
  node.classList.toggle("own", !!spec.own);
  set(node, "data-fits", spec.own ? fits(spec.seat, one.card) : null);
  set(node, "data-suit", isCard(one.card) && one.card !== "back" ? one.card[1] : null);
  node.classList.toggle("deep", !!one.deep);
  node.classList.toggle("small", one.w < 44);
  node.classList.toggle("mid", one.w < 80);
  node.classList.toggle("trump", isCard(one.card) && one.card[1] === trumpSuit() && !!spec.own);
}

function writeCorner(mark, card) {
  corner(card).forEach((line, index) => write(mark.children[index], line));
}

function transformOf(one, scale = 1) {
  return `translate(${one.x.toFixed(1)}px, ${one.y.toFixed(1)}px) rotate(${one.turn || 0}deg) scale(${scale.toFixed(3)})`;
}

/** Put a card where it lies; it moves there from where it was, or from `source` if it was not in sight. */
function put(node, one, source) {
  if (node.classList.contains("dragged")) {
    boxes.set(node, one);
    return;
  }
  const last = boxes.get(node);
  const old = last || source;
  const to = transformOf(one);
  // The style gives "scale(1.000)" back as "scale(1)": what it gave back tells whether the card still lies as it was put.
  const rests = last && node.style.transform === given.get(node);
  if (rests && transformOf(last) === to && last.w.toFixed(1) === one.w.toFixed(1)) return;
  node.style.width = `${one.w.toFixed(1)}px`;
  node.style.height = `${(one.w * RATIO).toFixed(1)}px`;
  node.style.fontSize = `${Math.max(11, one.w * (one.w < 80 ? 0.26 : 0.2)).toFixed(1)}px`;
  node.style.transform = to;
  given.set(node, node.style.transform);
  boxes.set(node, one);
  if (!old || calm.matches || document.hidden) return;
  // Above all others while it goes from pile to pile; cards that only move up stay where they are in the heap.
  const above = old.place === one.place ? {} : {zIndex: 50};
  node.animate([{transform: transformOf(old, old.w / one.w), ...above}, {transform: to, ...above}], {duration: MOVE_MS, easing: "ease-out"});
}

/** A card goes out of sight: towards the pile that has grown, if one has. */
function leave(key, node, grown) {
  nodes.delete(key);
  const target = grown[0];
  const old = boxes.get(node);
  if (!target || !old || calm.matches || document.hidden || !node.isConnected) {
    node.remove();
    return;
  }
  set(node, "aria-hidden", "true");
  for (const name of ["data-card", "data-place", "tabindex"]) node.removeAttribute(name);
  node.disabled = true;
  document.getElementById("stage").append(node);
  const moved = node.animate(
    [{transform: transformOf(old)}, {transform: transformOf(target.at, target.at.w / old.w), opacity: 0.4}],
    {duration: MOVE_MS, easing: "ease-in", fill: "forwards"},
  );
  moved.onfinish = moved.oncancel = () => node.remove();
}

/** Where a card was put last: it goes back there after a drag that led nowhere. */
export function putBack(node) {
  const one = boxes.get(node);
  if (!one) return;
  node.style.transform = transformOf(one);
  given.set(node, node.style.transform);
}
