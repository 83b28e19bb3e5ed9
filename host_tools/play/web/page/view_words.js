// What the pages for onlookers say: the replay, spectators, the stream's overlay, the big clock, the list of games.

import {addWords} from "./words.js";

addWords({
  en: {
    viewOf: "Seen by", everybody: "everybody", allOpen: "all hands open", play: "Play", pause: "Pause", first: "To the beginning",
    back1: "One line back", on1: "One line on", last: "To the end", times: "# times", position: "Line of the record", lineNo: "Line #",
    refusal: "Next refusal (#)", take: "Next take (#)", undo: "Next undo (#)", mistake: "Next mistake (#)", analysing: "The game is being analysed: some seconds", tryHere: "Try it from here", noMistakes: "No mistake of five points or more", handThen: "Hand", tableThen: "On the table", playedThen: "Played", betterThen: "Better", nothing: "The game begins", copyLink: "Copy the link to this line",
    copied: "The link is copied", sheet: "Sheet", sealed: "Record", viewKeys: [["← →", "one line back or on"], ["Space", "play, pause"], ["Home End", "beginning, end"],
      ["R", "next refusal"], ["T", "next take"], ["U", "next undo"], ["M", "next mistake"], ["Shift R, T, U, M", "the one before"], ["V", "the next reader's view"], ["L", "copy the link"], ["?", "this list"]],
    cardsInHand: "# in hand", toPlay: "to play", games: "Games", time: "Time", sinceBegun: "since the game began", score: "Score", losses: "lost", wins: "won",
    countGames: "# games", search: "Search: player, table, date, result", allGames: "all games", export: "Export:", openView: "Watch", openRecord: "Record", openAnalysis: "Analyse",
    "column.date": "Date", "column.table": "Table", "column.players": "Players", "column.game": "Game", "column.result": "Result", "column.length": "Length", "column.seal": "Seal",
    "seal.intact": "intact", "seal.cut off": "cut off", "seal.changed": "changed", "seal.none": "none",
  },
  ru: {
    viewOf: "Кто смотрит", everybody: "все за столом", allOpen: "все руки", play: "Пуск", pause: "Пауза", first: "В начало",
    back1: "Строка назад", on1: "Строка вперёд", last: "В конец", times: "в # раза", position: "Строка записи", lineNo: "Строка #",
    refusal: "Следующий отказ (#)", take: "Следующее взятие (#)", undo: "Следующая отмена (#)", mistake: "Следующая ошибка (#)", analysing: "Идёт разбор: несколько секунд", tryHere: "Попробовать отсюда", noMistakes: "Ошибок в пять очков и больше нет", handThen: "Рука", tableThen: "На столе", playedThen: "Сыграно", betterThen: "Лучше", nothing: "Игра начинается", copyLink: "Скопировать ссылку на строку",
    copied: "Ссылка скопирована", sheet: "Лист", sealed: "Запись", viewKeys: [["← →", "строка назад или вперёд"], ["Пробел", "пуск, пауза"], ["Home End", "начало, конец"],
      ["R", "следующий отказ"], ["T", "следующее взятие"], ["U", "следующая отмена"], ["M", "следующая ошибка"], ["Shift R, T, U, M", "предыдущие"], ["V", "следующий взгляд"], ["L", "скопировать ссылку"], ["?", "этот список"]],
    cardsInHand: "на руках: #", toPlay: "ходит", games: "Игры", time: "Время", sinceBegun: "с начала игры", score: "Счёт", losses: "проиграно:", wins: "побед:",
    countGames: "игр: #", search: "Поиск: игрок, стол, дата, итог", allGames: "все игры", export: "Сохранить:", openView: "Смотреть", openRecord: "Запись", openAnalysis: "Разбор",
    "column.date": "Дата", "column.table": "Стол", "column.players": "Игроки", "column.game": "Игра", "column.result": "Итог", "column.length": "Время", "column.seal": "Печать",
    "seal.intact": "цела", "seal.cut off": "оборвана", "seal.changed": "изменена", "seal.none": "нет",
  },
});
