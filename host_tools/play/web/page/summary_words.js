// The words of the help: headings of a game's page.

import {addWords} from "./words.js";

addWords({
  en: {
    keys: "Keys", houseHere: "At this table", houseNone: "At this table nothing is played otherwise than usual.", houseUsual: "As usual", wholeBook: "The rulebook, rule by rule", back: "Back", howPlayed: "How is it played?",
  },
  ru: {
    keys: "Клавиши", houseHere: "За этим столом", houseNone: "За этим столом всё как обычно.", houseUsual: "Как обычно", wholeBook: "Свод правил, по одному", back: "Назад", howPlayed: "Как в это играют?",
  },
});
