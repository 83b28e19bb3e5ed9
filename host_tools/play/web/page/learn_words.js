// What the pages to learn from say: puzzles, drills, the own games.

import {addWords} from "./words.js";

addWords({
  en: {
    puzzles: "Puzzles", drills: "Drills", mine: "My games", toTable: "Table", trumpIs: "Trump #", counted: "$ can hold only these:", handOf: "Hand of $",
    yours: "Your hand", ratingOwn: "Your rating: #", ratingNew: "Your rating: # ($)", ratingPuzzle: "Puzzle: #", today: "Puzzle of the day", next: "Next puzzle", again: "Try again", fromYours: "From your games",
    right: "Right", wrong: "Not this one", solved: "# of $ solved", thinkIt: "One moment", noPuzzle: "There is no puzzle here.", hears: "The table does not answer. Try again.",
    centreNext: "next #", downCount: "# face down", sides: "Side piles of $", yourSides: "Your side piles", centrePiles: "Centre piles", payoffOf: "Payoff pile of $", yourPayoff: "Your payoff pile", goesOn: "How it goes on", lies: "On the table",
  },
  ru: {
    puzzles: "Задачи", drills: "Упражнения", mine: "Мои игры", toTable: "Стол", trumpIs: "Козырь #", counted: "$: могут быть только эти карты", handOf: "Рука: $",
    yours: "Ваша рука", ratingOwn: "Ваш рейтинг: #", ratingNew: "Ваш рейтинг: # ($)", ratingPuzzle: "Задача: #", today: "Задача дня", next: "Следующая задача", again: "Ещё раз", fromYours: "Из ваших игр",
    right: "Верно", wrong: "Не этот ход", solved: "решено # из $", thinkIt: "Минуту", noPuzzle: "Такой задачи здесь нет.", hears: "Стол не отвечает. Попробуйте ещё раз.",
    centreNext: "дальше #", downCount: "рубашкой вверх: #", sides: "Боковые стопки: $", yourSides: "Ваши боковые стопки", centrePiles: "Стопки в центре", payoffOf: "Расчётная стопка: $", yourPayoff: "Ваша расчётная стопка", goesOn: "Как идёт дальше", lies: "На столе",
  },
});
