// What the pages to learn from share: the language, what this browser keeps, the ways between them, cards in rows.

import * as words from "./words.js";
import "./page_words.js";
import "./learn_words.js";
import {isRed, pictureOf, speakCard, write as writeCard} from "./cards.js";
import {make, set} from "./make.js";
import {wantedLanguage} from "./reading.js";
import {get, linkTo} from "./wire.js";

const {say} = words;
const PAGES = [["puzzles", "/puzzles"], ["drills", "/drills"], ["mine", "/my-games"]];

/** The language of the address, else of this browser. */
export function startPage(name) {
  const wanted = wantedLanguage();
  words.setLanguage(wanted);
  set(document.documentElement, "lang", words.language());
  document.title = `${say(name)} · Cardtable`;
  document.getElementById("title").textContent = say(name);
  document.getElementById("ways").replaceChildren(make("a", {href: linkTo("/"), "data-act": "table", text: say("toTable")}),
    ...PAGES.map(([key, address]) => make("a", {href: linkTo(`${address}?language=${words.language()}`), "aria-current": key === name ? "page" : null, text: say(key)})));
}

/** What this browser keeps under that name; `value`: keep it from now on. Nothing, where it keeps nothing. */
export function keep(name, value) {
  try {
    if (value !== undefined) localStorage.setItem(`cardtable.${name}`, JSON.stringify(value));
    return JSON.parse(localStorage.getItem(`cardtable.${name}`));
  } catch {
    return value === undefined ? null : value;
  }
}

export function forget(name) {
  try {
    localStorage.removeItem(`cardtable.${name}`);
  } catch { /* nothing is kept */ }
}

/** JSON from whoever stands behind this page; null where nobody answers. */
export async function ask(address, query = {}) {
  const said = new URLSearchParams({language: words.language(), ...query});
  try {
    const answer = await get(`${address}?${said}`);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** A card as a picture that says its name. */
export function cardOf(name) {
  return make("span", {class: `card${isRed(name) ? " red" : ""}`, role: "img", "aria-label": speakCard(name), title: writeCard(name), "data-card": name},
    make("img", {src: new URL(pictureOf(name), import.meta.url).href, alt: "", "aria-hidden": "true"}), make("b", {"aria-hidden": "true", text: writeCard(name)}));
}

/** Cards in a row, or backs where only their number is known. */
export function rowOf(cards, label, more = "") {
  return make("figure", {class: "row"}, make("figcaption", {text: label}), make("div", {class: "cards"}, ...cards.map(cardOf), ...(more ? [make("span", {class: "more", text: more})] : [])));
}
