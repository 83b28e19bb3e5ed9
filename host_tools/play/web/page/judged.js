// What an analysis says of the game that is shown: the chances over the timeline, and who lost it where, with cards.

import {corner, isRed, speakCard} from "./cards.js";
import {closeDialog, openDialog} from "./dialog.js";
import {make} from "./make.js";
import {say} from "./words.js";

const COLOURS = ["#ffb4a8", "#9fd0ff", "#a5e3a8", "#f3cf6b", "#d9b8ff", "#7fe3ea", "#e0c3b5"];
const SVG = "http://www.w3.org/2000/svg";
let showsOpen = false;

function draw(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** The chances over the track, as wide as the slider, or its mistakes alone where chances are rough; nothing for a game that was not analysed. */
export function drawCurve(box, replay) {
  const {judged} = replay.data;
  box.hidden = !judged;
  const of = `${replay.reader} ${Boolean(judged)} ${showsOpen}`;
  if (!judged || box.dataset.of === of) return;
  box.dataset.of = of;
  const count = Math.max(1, replay.frames.length);
  const x = (line) => ((1000 * replay.at(line)) / count).toFixed(1);
  const path = (points) => points.filter(([, chance]) => chance !== null).map(([line, chance]) => `${x(line)},${(100 - chance).toFixed(1)}`).join(" ");
  const lines = replay.data.seats.flatMap((seat, at) => {
    const stroke = COLOURS[at % COLOURS.length];
    const own = draw("polyline", {class: "own", points: path(judged.own[seat.seat]), stroke});
    const open = draw("polyline", {class: "open", points: path(judged.open.map(([line, ...all]) => [line, all[at]])), stroke});
    return showsOpen ? [open, own] : [own];
  });
  const isRough = !judged.aim;
  const svg = isRough ? [] : [draw("svg", {viewBox: "0 0 1000 100", preserveAspectRatio: "none", role: "img", "aria-label": judged.aim},
    draw("line", {x1: 0, x2: 1000, y1: 50, y2: 50, class: "half"}), ...lines)];
  const marks = replay.data.seats.flatMap((seat, at) => judged.own[seat.seat].filter(([, , isMistake]) => isMistake).map(([line, chance]) => {
    const mark = make("i", {class: "slip", "aria-hidden": "true"});
    Object.assign(mark.style, {left: `${x(line) / 10}%`, top: `${100 - (chance ?? 50)}%`, background: COLOURS[at % COLOURS.length]});
    return mark;
  }));
  const legend = replay.data.seats.map((seat, at) => {
    const name = make("span", {text: seat.name});
    name.style.color = COLOURS[at % COLOURS.length]; // an attribute of style is forbidden here
    return name;
  });
  box.replaceChildren(make("p", {class: "legend"}, ...legend, ...(isRough ? [judged.says["chance.rough"]] : [])), make("div", {class: "plot"}, ...svg, ...marks));
}

/** Who lost and what decided it, each mistake with its cards, luck and play. `go(line)` shows a line of the game. */
export function openJudged(replay, {go, redraw}) {
  const {judged} = replay.data;
  const box = make("input", {type: "checkbox", "data-act": "open-chances", onchange: () => { showsOpen = box.checked; redraw(); }});
  box.checked = showsOpen;
  const mistakes = judged.mistakes.map((one) => tellMistake(one, () => { closeDialog(); go(one.line); }));
  const doubts = judged.doubts.map(([line, text]) => make("p", {class: "doubt", "data-line": line}, text, " ", leadTo(line, () => { closeDialog(); go(line); })));
  openDialog("judged", judged.says.judged,
    ...judged.lines.map((text, at) => make("p", {class: at ? "" : "result", text})),
    ...(judged.aim ? [make("p", {text: judged.aim}), make("label", {class: "openline"}, box, ` ${judged.says["open.line"]}`)] : []),
    make("h3", {text: judged.says.mistakes}), ...(mistakes.length ? mistakes : [make("p", {text: judged.says["mistakes.none"]})]), ...doubts,
    ...(judged.kinds.length ? [make("p", {text: judged.kinds.join(" ")})] : []), ...tellLuck(judged));
}

/** A small card: its rank and pip, large enough to be read. */
function cardOf(name) {
  const [rank, pip] = name === "back" ? ["", ""] : corner(name);
  return make("span", {class: isRed(name) ? "tile red" : "tile", role: "img", "aria-label": speakCard(name)}, make("b", {text: rank}), make("b", {text: pip}));
}

function row(label, cards, text = "") {
  return make("div", {class: "cardrow"}, make("span", {class: "what", text: label}), ...cards.map(cardOf), ...(text ? [make("span", {text})] : []));
}

function leadTo(line, show) {
  return make("button", {type: "button", class: "tool", "data-act": "line", text: say("lineNo", line), onclick: show});
}

/** A rough guess has none: its title says so. */
const withChance = (one, words, chance) => (one.kind === "perhaps" ? words : `${words} (${chance})`);

function tellMistake(one, show) {
  const open = (kinds) => one.piles.filter((pile) => kinds.includes(pile.kind.replace(/[\d.]+$/, ""))).flatMap((pile) => pile.cards);
  const hand = open(["hand", "staged"]);
  const table = open(["attack", "cover", "front", "raise", "set", "centre", "side"]);
  return make("article", {class: "slipped", "data-line": one.line},
    make("h4", {}, `${one.name}, `, make("span", {class: "size", "data-kind": one.kind, text: one.size}), " ", leadTo(one.line, show)),
    ...(hand.length ? [row(say("handThen"), hand)] : []), ...(table.length ? [row(say("tableThen"), table)] : []),
    row(say("playedThen"), one.cards, withChance(one, one.played, one.chance)),
    row(say("betterThen"), one.better_cards, withChance(one, one.better, one.best)),
    make("p", {class: "why", text: [one.reason, one.sure, one.open].filter(Boolean).join("; ")}));
}

/** Luck and play; nothing where chances are rough. */
function tellLuck({says, split}) {
  if (!split.rows.length) return [];
  return [make("h3", {text: says.luck}), make("p", {text: says["luck.why"]}), ...split.rows.map((row) => tellSplit(split.heads, row))];
}

/** One seat's result and where it came from, as a list that a narrow window can show. */
function tellSplit(heads, [name, ...values]) {
  const rows = values.map((value, at) => make("tr", {}, make("th", {scope: "row", text: heads[at + 1]}), make("td", {text: value})));
  return make("table", {class: "split"}, make("caption", {text: name}), make("tbody", {}, ...rows));
}
