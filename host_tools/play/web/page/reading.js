// How this browser shows the table, whoever sits at it: its language, the size of its text, suits in four colours, large
// faces. What was chosen stays in this browser.

import "./storage.js";
import {language, listLanguages, say, speaks} from "./words.js";
import {make, set} from "./make.js";

const KEY = "cardtable.";
const SWITCHES = {fits: "showFits", suits: "fourColours", faces: "largeFaces", calls: "calls"};
let change = null;

/** `speak(language)` tells the table which language this browser reads. */
export function startReading(speak) {
  change = speak;
  showReading();
}

/** The language that the address asks for. It holds in this tab and leaves the address: anyone who is sent that reads
 * their own. */
function askedLanguage() {
  const query = new URLSearchParams(location.search);
  const asked = query.get("language");
  if (asked) {
    sessionStorage.setItem(`${KEY}asked`, asked);
    query.delete("language");
    const rest = String(query);
    try {
      history.replaceState(history.state, "", `${location.pathname}${rest ? `?${rest}` : ""}${location.hash}`);
    } catch { /* a page without an address of its own */ }
  }
  return asked || sessionStorage.getItem(`${KEY}asked`) || "";
}

/** The language that this page wants: the one that its address asks for, else the one that was chosen in this browser,
 * else the browser's own, else the table's. */
export function wantedLanguage() {
  const wanted = [askedLanguage(), localStorage.getItem(`${KEY}language`) || "", ...navigator.languages || []];
  return wanted.map((one) => one.slice(0, 2)).find(speaks) || "";
}

export function isOn(name) {
  const kept = localStorage.getItem(KEY + name);
  return kept ? kept === "yes" : name === "calls" || name === "fits";
}

function showReading() {
  set(document.body, "data-suits", isOn("suits") ? "four" : null);
  set(document.body, "data-fits", isOn("fits") ? "shown" : null);
  set(document.body, "data-faces", isOn("faces") ? "large" : null);
}

const LEAST = {width: 300, height: 360}; // in pixels of usual size: with fewer, nothing can be played

/** How many times larger than usual the reader wants text: the whole page grows with it, as far as a small one has room. */
export function unit() {
  const wanted = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
  const scale = Number.isFinite(wanted) ? Math.min(4, Math.max(0.5, wanted), Math.max(1, Math.min(innerWidth / LEAST.width, innerHeight / LEAST.height))) : 1;
  const {style} = document.body;
  if (style.zoom !== String(scale)) {
    style.zoom = String(scale);
    style.height = `calc(100dvh / ${scale})`;
  }
  return scale;
}

/** The switches, for a dialog. */
export function readingPart() {
  const list = make("select", {"data-act": "page-language", onchange: (event) => {
    localStorage.setItem(`${KEY}language`, event.target.value);
    askedLanguage();
    sessionStorage.removeItem(`${KEY}asked`); // what was chosen goes before it
    change(event.target.value);
  }});
  for (const [code, title] of listLanguages()) {
    const row = make("option", {value: code, text: title});
    row.selected = code === language();
    list.append(row);
  }
  const rows = Object.entries(SWITCHES).map(([name, words]) => {
    const box = make("input", {type: "checkbox", "data-act": name, onchange: (event) => {
      localStorage.setItem(KEY + name, event.target.checked ? "yes" : "no");
      showReading();
    }});
    box.checked = isOn(name);
    return make("label", {class: "check"}, box, say(words));
  });
  return make("section", {class: "switches"}, make("label", {}, make("span", {text: say("pageLanguage")}), list), ...rows);
}
