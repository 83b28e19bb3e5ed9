// What the pages to learn from say: puzzles, drills, the own games.

import {addWords} from "./words.js";

addWords({
  en: {
    puzzles: "Puzzles", drills: "Drills", mine: "My games", toTable: "Table", trumpIs: "Trump #", counted: "$ can hold only these:", handOf: "Hand of $",
    yours: "Your hand", ratingOwn: "Your rating: #", ratingNew: "Your rating: # ($)", ratingPuzzle: "Rating of this puzzle: #", today: "Puzzle of the day", next: "Next puzzle", again: "Try again", fromYours: "From your games",
    right: "Right", wrong: "Not this one", solved: "# of $ solved", thinkIt: "One moment", noPuzzle: "There is no puzzle here.", hears: "The table does not answer. Try again.",
    centreNext: "next #", downCount: "# face down", sides: "Side piles of $", yourSides: "Your side piles", centrePiles: "Centre piles", payoffOf: "Payoff pile of $", yourPayoff: "Your payoff pile", goesOn: "How it goes on", lies: "On the table",
    startDrill: "Start: one minute", drillWhy: "Moments from finished games at this table, each as one player saw it.", timeLeft: "# s left", drillRight: "Right", drillWrong: "No: #", drillDone: "# of $ right in a minute", drillCurve: "Right answers, minute by minute", check: "Check", noDrill: "There is no finished game to ask about.", seatOf: "You are $.",
    who: "Your name", myGames: "Games: #", opponents: "Against whom", lostOf: "lost # of $", wonGame: "not lost", lostGame: "lost", noGames: "No finished game of this name lies here.", puzzlesSolved: "Puzzles: #", exportAll: "Save what this browser keeps", deleteAll: "Delete what this browser keeps", deleteSure: "Really delete ratings, puzzles and drills?", yes: "Delete", no: "Keep", deleted: "Deleted.", staysHere: "Games lie in the folder of this table; ratings, puzzles and drills in this browser. Nothing is sent anywhere.", watchGame: "Watch", by: "Choose a name",
  },
  ru: {
    puzzles: "Задачи", drills: "Упражнения", mine: "Мои игры", toTable: "Стол", trumpIs: "Козырь #", counted: "$: могут быть только эти карты", handOf: "Рука: $",
    yours: "Ваша рука", ratingOwn: "Ваш рейтинг: #", ratingNew: "Ваш рейтинг: # ($)", ratingPuzzle: "Рейтинг задачи: #", today: "Задача дня", next: "Следующая задача", again: "Ещё раз", fromYours: "Из ваших игр",
    right: "Верно", wrong: "Не этот ход", solved: "решено # из $", thinkIt: "Минуту", noPuzzle: "Такой задачи здесь нет.", hears: "Стол не отвечает. Попробуйте ещё раз.",
    centreNext: "дальше #", downCount: "рубашкой вверх: #", sides: "Боковые стопки: $", yourSides: "Ваши боковые стопки", centrePiles: "Стопки в центре", payoffOf: "Расчётная стопка: $", yourPayoff: "Ваша расчётная стопка", goesOn: "Как идёт дальше", lies: "На столе",
    startDrill: "Начать: одна минута", drillWhy: "Моменты из законченных игр этого стола, какими их видел один игрок.", timeLeft: "осталось # с", drillRight: "Верно", drillWrong: "Нет: #", drillDone: "верно # из $ за минуту", drillCurve: "Верных ответов по минутам", check: "Проверить", noDrill: "Нет законченной игры, о которой можно спросить.", seatOf: "Вы — $.",
    who: "Ваше имя", myGames: "Игр: #", opponents: "С кем", lostOf: "проиграно # из $", wonGame: "без проигрыша", lostGame: "проигрыш", noGames: "Законченных игр с этим именем здесь нет.", puzzlesSolved: "Задачи: #", exportAll: "Сохранить всё из этого браузера", deleteAll: "Удалить всё из этого браузера", deleteSure: "Удалить рейтинги, задачи и упражнения?", yes: "Удалить", no: "Оставить", deleted: "Удалено.", staysHere: "Игры лежат в папке этого стола, рейтинги, задачи и упражнения — в этом браузере. Ничего никуда не отправляется.", watchGame: "Смотреть", by: "Выберите имя",
  },
});
