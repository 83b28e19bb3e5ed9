// A box of words above the own seat, for a hint or a lesson: it takes the place of the table's screen while it is open.

import {make, place, set} from "./make.js";
import {gameName} from "./model.js";

const PILES = 225; // of a middle: with less, words and the piles of Malice have no room below one another

let box = null;

/** The box, made once, with its style. */
function bubble(stage) {
  if (box) return box;
  document.head.append(make("link", {rel: "stylesheet", href: "bubble.css"}));
  box = make("section", {class: "bubble", hidden: true, "aria-live": "polite"});
  stage.append(box);
  new ResizeObserver(() => dispatchEvent(new Event("resize"))).observe(box); // the cards may have to make room
  return box;
}

/** Where a box of that width covers no seat: at `y`, or below those beside the screen, which is narrower. */
function belowSeats(lay, y, x, w) {
  const beside = [...lay.seats.values()].map((parts) => parts.plate).filter((plate) => plate.x < x + w && x < plate.x + plate.w && plate.y < y + 40);
  return Math.max(y, ...beside.map((plate) => plate.y + plate.h + 6));
}

/** Show lines ([class, text]) and buttons ([name, text, doer, isPlain]) of `kind`, or nothing where there are no lines. */
export function showBubble(stage, lay, {kind, lines, buttons}) {
  const node = bubble(stage);
  const canvas = document.getElementById("glass");
  if (!lines.length) {
    if (node.dataset.kind !== kind) return;
    node.hidden = true;
    canvas.style.visibility = "";
    return;
  }
  set(node, "data-kind", kind);
  canvas.style.visibility = lay.glass ? "hidden" : "";
  const wide = stage.clientWidth;
  const at = lay.glass || lay.words || lay.middle || {x: 0, y: 8, w: wide};
  const beside = lay.glass && !lay.tall && lay.middle && lay.middle.y < at.y + at.h; // the screen lies beside the cards
  const w = beside ? Math.min(560, lay.middle.x - 16) : lay.glass ? Math.min(560, wide - 16) : Math.min(620, at.w);
  const x = lay.glass && wide >= 700 ? Math.max(8, Math.min(wide - w - 8, at.x + at.w / 2 - w / 2)) : lay.glass ? (wide - w) / 2 : at.x + (at.w - w) / 2;
  const covers = gameName() === "malice" && !lay.glass && at.h < PILES; // then they lie over the others' seats
  place(node, {x, y: covers ? 4 : belowSeats(lay, at.y, x, w), w});
  const key = JSON.stringify([lines, buttons.map((one) => one.slice(0, 2))]);
  if (node.dataset.of === key) return;
  node.dataset.of = key;
  const held = node.contains(document.activeElement) ? document.activeElement.dataset.act : "";
  node.replaceChildren(...lines.map(([name, text]) => make("p", {class: name, text})),
    make("div", {class: "row"}, ...buttons.map(([name, text, doer, isPlain]) => make("button", {type: "button", class: isPlain ? "plain" : "go", "data-act": name, text, onclick: doer}))));
  if (held) (node.querySelector(`[data-act=${held}]`) || node.querySelector("button") || stage).focus({preventScroll: true});
}

/** Let the own cards and buttons shine that are named; nothing: none does. */
export function point({cards = [], keys = []} = {}) {
  for (const node of document.querySelectorAll("#own .card.own, #own .key, #middle .card")) {
    const is = cards.includes(node.dataset.card) || keys.includes(node.dataset.button);
    if (node.classList.contains("pointed") !== is) node.classList.toggle("pointed", is);
  }
}

