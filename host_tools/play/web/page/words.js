// What the page itself says, in English and Russian. Prompts, refusals and moves come from the table in its own language.

const WORDS = {
  en: {
    bar: "Table", lost: "Connection lost. Trying again", closed: "The table closed this page: #", full: "All places for spectators are taken. Trying again", middle: "Middle of the table",
    own: "Your place", seat: "Seat #: $", seatOnly: "Seat #", hand: "hand", yourHand: "your hand", cards: "# cards", card: "1 card",
    reader: "Reader of $", readerOf: "Reader #", trump: "Trump", dealer: "dealer", attacker: "attacks", defender: "defends", out: "out",
    stock: "Stock", discard: "Discard", turned: "Turned", attack: "Bout", cover: "Bout", pile: "Pile", set: "Last set", staged: "Staged",
    covered: "Covered", front: "Top cards", raise: "Raise", centre: "Centre #", side: "Side #", payoff: "Payoff", empty: "empty",
    off: "light off", turn: "your turn", accepted: "accepted", choosing: "choosing", refused: "refused", fault: "fault", filling: "handicap runs",
    turnOther: "to play", light: "Light of $: #", button: "$, # button",
    moves: "Moves", takeBack: "Take my move back", movesOf: "What you can do now",
    offered: "OK: # · MENU: next · NO: leave", chooses: "MENU: next · NO: leave", armed: "Tap a card: # · MENU: next · NO: leave", step: "next", leave: "leave", deal: "The deal: #",
    hint: "Hint", mute: "Sound off", unmute: "Sound on", free: "Free hand", settings: "Settings and seats", help: "Help", feed: "Events", close: "Close",
    rule: "Rule #", source: "Source: #", readings: "Other readings", loading: "One moment",
    learnFirst: "New to #? Play your first game", learnOthers: "Or learn:", quick: "Play Durak against three", quickWhy: "You and three virtual players. Nothing to set up.", toPuzzles: "Puzzles",
    lobbyOwn: "More: choose at the table itself", lobbyOwnWhy: "This is the table's screen. OK plays what stands there, between nameless seats; MENU shows other games.",
    form: "Or choose", game: "Game", variant: "Variant", options: "House rules", asUsual: "as usual", asOthers: "as the others", freeWhy: "Free hand: lay any tag on any reader, as somebody who tests the table does. It refuses what it should refuse.", seconds: "# s", people: "Who plays",
    name: "Name", who: "Who", here: "here", phone: "on a phone", open: "nobody yet", bot: "virtual: #", moreKinds: "More characters …", you: "Guest", self: "You", yourName: "Your name",
    deals: "Deals", seats: "Seats", start: "Start the game", giveUp: "Give up the running game", giveUpFirst: "A game is running: tick the box to give it up.", count: "Seats",
    over: "Game over", newTable: "New game",
    starting: "The table starts", power: "The power is off", powerOn: "Switch on", powerOff: "Cut the power", stopped: "The table has stopped. Its screen says why",
    dealing: "Dealing and drawing", dealTable: "by the table", dealHand: "by hand, card by card", language: "Language", speed: "Speed",
    link: "Link", links: "Seats and phones", gone: "gone", standsIn: "virtual", takeOver: "Let a virtual player go on", takeOverLong: "Let a virtual player take over the seat of $", agree: "Agree: virtual player",
    records: "Finished games", none: "none yet", tags: "Other tags", stranger: "stranger's tag", arbiter: "arbiter's key", token: "token of $",
    scan: "Scan it with a phone, or copy the link", spectator: "You watch. Hands stay hidden.",
    helpRows: [["← →", "choose a card of your hand"], ["↑ ↓", "other cards, and back"], ["Enter", "tap the card on your reader"],
      ["Space", "lay the card on your reader, or take it away"],
      ["O N C M", "OK, NO, CALL, MENU; hold them for long presses"], ["L", "list of moves"], ["P", "the next seat that you play here"], ["F", "free hand"], ["S", "sound"], ["?", "help"]],
    helpMore: "Click a card to tap it on your reader. Drag it onto a reader to leave it there.",
    rulesEnglish: "This rule is in English only.", refusedLine: "Refused: #", wait: "Wait for the others",
  },
  ru: {
    bar: "Стол", lost: "Связь прервана. Пробуем снова", closed: "Стол закрыл эту страницу: #", full: "Все места для зрителей заняты. Пробуем снова", middle: "Середина стола",
    own: "Ваше место", seat: "Место #: $", seatOnly: "Место #", hand: "рука", yourHand: "ваша рука", cards: "карт: #", card: "карт: 1",
    reader: "Считыватель: $", readerOf: "Считыватель #", trump: "Козырь", dealer: "сдаёт", attacker: "атакует", defender: "отбивается", out: "вне игры",
    stock: "Колода", discard: "Отбой", turned: "Открыта", attack: "Кон", cover: "Кон", pile: "Стопка", set: "Последний ход", staged: "Отложены",
    covered: "Накрыты", front: "Верхние карты", raise: "Кроют", centre: "Центр #", side: "Бок #", payoff: "Расчётная", empty: "пусто",
    off: "огонёк не горит", turn: "ваш ход", accepted: "принято", choosing: "выбор", refused: "отказ", fault: "неисправность", filling: "задержка идёт",
    turnOther: "ходит", light: "Огонёк, $: #", button: "$, кнопка #",
    moves: "Ходы", takeBack: "Взять ход назад", movesOf: "Что можно сделать сейчас",
    offered: "OK: # · MENU: дальше · NO: выйти", chooses: "MENU: дальше · NO: выйти", armed: "Приложите карту: # · MENU: дальше · NO: выйти", step: "дальше", leave: "выйти", deal: "Сдача, #",
    hint: "Подсказка", mute: "Звук выключить", unmute: "Звук включить", free: "Свободный режим", settings: "Настройки и места", help: "Помощь", feed: "События", close: "Закрыть",
    rule: "Правило #", source: "Источник: #", readings: "Подробности", loading: "Минуту",
    learnFirst: "Впервые? Первая игра: #", learnOthers: "Или другая:", quick: "Играть в дурака против троих", quickWhy: "Вы и три виртуальных игрока. Настраивать нечего.", toPuzzles: "Задачи",
    lobbyOwn: "Ещё: выбрать за самим столом", lobbyOwnWhy: "Это экран стола. OK — играть в то, что на нём, места без имён; MENU — другие игры.",
    form: "Или выберите", game: "Игра", variant: "Вид", options: "Домашние правила", asUsual: "как обычно", asOthers: "как у других", freeWhy: "Свободный режим: любую метку на любой считыватель, как при проверке стола. Чего нельзя, стол не примет.", seconds: "# с", people: "Кто играет",
    name: "Имя", who: "Кто", here: "здесь", phone: "с телефона", open: "пока никто", bot: "вирт.: #", moreKinds: "Другие характеры …", you: "Гость", self: "Вы", yourName: "Ваше имя",
    deals: "Сдаёт", seats: "Места", start: "Начать игру", giveUp: "Бросить начатую игру", giveUpFirst: "Игра ещё идёт: отметьте, что её бросают.", count: "Мест",
    over: "Игра окончена", newTable: "Новая игра",
    starting: "Стол включается", power: "Питания нет", powerOn: "Включить", powerOff: "Отключить питание", stopped: "Стол остановился. Причина на экране",
    dealing: "Сдача и добор", dealTable: "делает стол", dealHand: "руками, по карте", language: "Язык", speed: "Скорость",
    link: "Ссылка", links: "Места и телефоны", gone: "нет связи", standsIn: "виртуальный", takeOver: "Пусть играет виртуальный", takeOverLong: "Пусть вместо $ сядет виртуальный игрок", agree: "Согласен: виртуальный",
    records: "Сыгранные игры", none: "пока нет", tags: "Другие метки", stranger: "чужая метка", arbiter: "ключ судьи", token: "метка игрока: $",
    scan: "Наведите телефон или скопируйте ссылку", spectator: "Вы смотрите. Рук не видно.",
    helpRows: [["← →", "выбрать карту в руке"], ["↑ ↓", "другие карты и обратно"], ["Enter", "приложить карту к своему считывателю"],
      ["Пробел", "положить карту на считыватель или снять"],
      ["O N C M", "OK, NO, CALL, MENU; можно держать"], ["L", "список ходов"], ["P", "следующее место, за которое вы играете"], ["F", "свободный режим"], ["S", "звук"], ["?", "помощь"]],
    helpMore: "Щёлкните по карте, чтобы приложить её. Перетащите на считыватель, чтобы оставить там.",
    rulesEnglish: "Этого правила по-русски ещё нет.", refusedLine: "Отказ: #", wait: "Ждите других",
  },
};

let current = "en";

/** More words, of a page that shows what this one has not. */
export function addWords(more) {
  for (const [code, words] of Object.entries(more)) WORDS[code] = {...words, ...WORDS[code]};
}

export function setLanguage(code) {
  current = WORDS[code] ? code : "en";
  document.documentElement.lang = current;
}

export function language() {
  return current;
}

/** The page's words for `key`; `#` and `$` are replaced. */
export function say(key, number = "", name = "") {
  const words = WORDS[current][key];
  return typeof words === "string" ? words.replace("#", number).replace("$", name) : words;
}

/** That word in every language. */
export function everywhere(key) {
  return Object.values(WORDS).map((words) => words[key]);
}

export function has(key) {
  return key in WORDS[current];
}

export function countCards(count) {
  return count === 1 ? say("card") : say("cards", count);
}
