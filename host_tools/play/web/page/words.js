// What the pages themselves say, in every language that has files for it (words/). Prompts, refusals and moves come from
// the table in its own language.

const WORDS = {};
let languages = ["en"];
let current = 0;

/** Words of one of those files: of each key what `codes`, the languages, say. A module NAME_words.js calls this. */
export function addWords(codes, words) {
  languages = codes;
  Object.assign(WORDS, words);
}

/** The page speaks that language from now on; English if there are no words of it. */
export function setLanguage(code) {
  current = Math.max(0, languages.indexOf(code));
  document.documentElement.lang = language();
}

export function language() {
  return languages[current];
}

/** [code, its own name for itself] of each language. */
export function listLanguages() {
  return languages.map((code, index) => [code, WORDS.languageName[index]]);
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
  return WORDS[key];
}

export function has(key) {
  return key in WORDS;
}

export function countCards(count) {
  return count === 1 ? say("card") : say("cards", count);
}
