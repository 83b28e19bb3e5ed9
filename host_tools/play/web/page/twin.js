// A virtual board behind a serial port: what its chips show, and what hands do to them.

import {drawGlass} from "./glass.js";
import {keyed, make, set, write} from "./make.js";

const KEYS = ["OK", "NO", "CALL", "MENU"];
const LOOK_MS = 120;
const byId = (id) => document.getElementById(id);
let chosen = "";

async function act(what, seat, thing) {
  await fetch("act", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({do: what, seat, thing})});
}

function makeKey(seat, key) {
  const button = make("button", {type: "button", text: key});
  const hold = (held) => {
    if ((button.dataset.held === "yes") === held) return;
    set(button, "data-held", held ? "yes" : null);
    act(held ? "press" : "release", seat, key);
  };
  button.addEventListener("pointerdown", () => hold(true));
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(name, () => hold(false));
  button.addEventListener("keydown", (event) => { if (event.key === " " || event.key === "Enter") hold(true); });
  button.addEventListener("keyup", () => hold(false));
  return button;
}

function makeSeat(seat) {
  const reader = make("div", {class: "reader", role: "button", tabindex: "0", "aria-label": `Reader of seat ${seat}`});
  const lay = () => { if (chosen) act("put", seat, chosen); chosen = ""; };
  reader.addEventListener("click", lay);
  reader.addEventListener("keydown", (event) => { if (event.target === reader && (event.key === "Enter" || event.key === " ")) lay(); });
  return make("li", {}, make("span", {class: "light"}), ` ${seat}`, reader, make("div", {class: "keys"}, ...KEYS.map((key) => makeKey(seat, key))));
}

function makeLying(seat, name) {
  const tag = make("button", {type: "button", class: "tag", text: name});
  tag.addEventListener("click", (event) => { event.stopPropagation(); act("take", seat, name); });
  return tag;
}

function makeTag(name) {
  const tag = make("button", {type: "button", class: "tag", text: name});
  tag.addEventListener("click", () => { chosen = chosen === name ? "" : name; });
  return tag;
}

function draw(seen) {
  drawGlass(byId("glass"), seen.glass, 3);
  const seats = keyed(byId("seats"), seen.seats.map((seat, index) => index + 1), (seat) => seat, makeSeat);
  seen.seats.forEach((seat, index) => {
    const [light, reader] = seats[index].children;
    light.style.background = seat.light.some(Boolean) ? `rgb(${seat.light.map((part) => Math.min(255, part * 4)).join(",")})` : "";
    keyed(reader, seat.tags, (name) => name, (name) => makeLying(index + 1, name));
  });
  const tags = keyed(byId("tags"), seen.tags, (name) => name, makeTag);
  seen.tags.forEach((name, index) => set(tags[index], "aria-pressed", name === chosen ? "true" : "false"));
  keyed(byId("feed"), seen.feed.map((text, index) => index), (index) => index, () => make("li")).forEach((row, index) => write(row, seen.feed[index]));
}

async function look() {
  try {
    const answer = await fetch("look");
    if (!answer.ok) throw new Error(answer.statusText);
    draw(await answer.json());
    write(byId("state"), "");
  } catch (wrong) {
    write(byId("state"), "The twin does not answer.");
  }
  setTimeout(look, LOOK_MS);
}

look();
