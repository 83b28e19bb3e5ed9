// What the pages themselves say, in every language that has files for it (words/). Prompts, refusals and moves come from
// the table in its own language.

const WORDS = {}; // key: language: word
const AWAY = {}; // language: what brings its words, of those that are not here
let languages = ["en"];
let current = "en";
let wanted = "en";
let redraw = () => {};

/** Words of one of those files: of each key what `codes`, the languages, say. A module NAME_words.js calls this. */
export function addWords(codes, words) {
  if (codes.length > languages.length) languages = codes;
  for (const [key, said] of Object.entries(words)) {
    const known = WORDS[key] ||= {};
    codes.forEach((code, index) => { known[code] = said[index]; });
  }
}

/** Only the words of `code` are here; `away` brings others, by language. */
export function lendWords(code, away) {
  current = wanted = code;
  Object.assign(AWAY, away);
}

/** `draw` is called when words have come that somebody waited for. */
export function onWords(draw) {
  redraw = draw;
}

/** The page speaks that language from now on, or once its words are here; English if there are no words of it. */
export function setLanguage(code) {
  wanted = speaks(code) ? code : "en";
  if (AWAY[wanted]) fetchWords(wanted);
  else speakNow();
}

async function fetchWords(code) {
  try {
    await AWAY[code]();
  } catch {
    return; // the network was gone: the next message that names the language asks again
  }
  AWAY[code] = null;
  if (wanted !== code) return;
  speakNow();
  redraw();
}

function speakNow() {
  current = wanted;
  document.documentElement.lang = current;
}

export function language() {
  return current;
}

/** Whether there are words of that language. */
export function speaks(code) {
  return languages.includes(code);
}

/** [code, its own name for itself] of each language. */
export function listLanguages() {
  return languages.map((code) => [code, WORDS.languageName[code]]);
}

/** The page's words for `key`; `#` and `$` are replaced. */
export function say(key, number = "", name = "") {
  return WORDS[key][current].replace("#", number).replace("$", name);
}

/** A list of the page's words: [key of the keyboard, what it does]. */
export function rows(key) {
  return say(key).split(" | ").map((row) => row.split(": "));
}

/** That word in every language. */
export function everywhere(key) {
  return Object.values(WORDS[key]);
}

export function has(key) {
  return key in WORDS;
}

export function countCards(count) {
  return count === 1 ? say("card") : say("cards", count);
}
