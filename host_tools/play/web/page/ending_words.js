// What the end of a game says: who lost, what decided it, where to go from there, the list of finished games.

import {addWords} from "./words.js";

addWords({
  en: {
    again: "Play again", againSoon: "The game is being written down …", seeMoment: "See that moment", luckAndPlay: "Luck and play", luck: "Luck", ownPlay: "Your play", tryMoment: "Try that moment again", watchGame: "Watch the game", lastCards: "The last cards",
    thinking: "What decided it? One moment …", whatDecided: "What decided it", whyMore: "Why, and what else", proof: "Proof", proofWhy: "Nobody can change this game any more. To prove later that it was this one, keep this code:",
    yourCards: "Your cards", cardsOf: "The cards of $", wasPlayed: "played", wasBetter: "better", today: "Today", yesterday: "Yesterday", openWatch: "Watch", openAnalysis: "Analysis", openRecord: "Record",
    backToTable: "Back to the table",
  },
  ru: {
    again: "Играть ещё", againSoon: "Игра записывается …", seeMoment: "Посмотреть этот момент", luckAndPlay: "Удача и игра", luck: "Удача", ownPlay: "Ваша игра", tryMoment: "Переиграть этот момент", watchGame: "Посмотреть игру", lastCards: "Последние карты",
    thinking: "Что решило игру? Минуту …", whatDecided: "Что решило игру", whyMore: "Почему, и что ещё", proof: "Доказательство", proofWhy: "Эту игру больше никто не изменит. Чтобы потом доказать, что она была такой, сохраните код:",
    yourCards: "Ваши карты", cardsOf: "Карты игрока $", wasPlayed: "сыграно", wasBetter: "лучше", today: "Сегодня", yesterday: "Вчера", openWatch: "Смотреть", openAnalysis: "Разбор", openRecord: "Запись",
    backToTable: "Назад к столу",
  },
});
