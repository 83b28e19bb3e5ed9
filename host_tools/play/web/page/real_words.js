// What the page says where the cards are real.

import {addWords} from "./words.js";

addWords({
  en: {
    realRead: "Read cards with this phone", realTyped: "A USB reader that types", realStop: "Stop reading", realTap: "Hold a card to the back of this phone", realTapTyped: "Lay a card on the reader",
    realNone: "This browser cannot read cards; Chrome on an Android phone with NFC can. Here you have your screen and your buttons.",
    realPlain: "Cards can be read only on a page that begins with https. Ask the host for that link.",
    realIphone: "An iPhone lets no web page read cards. Here you have your screen and your buttons.",
    realRefused: "You did not allow this page to use NFC. Allow it in the browser's settings for this page, then press the button again.",
    realOff: "NFC is switched off on this phone. Switch it on in its settings, then press the button again.", realNoNfc: "This phone has no NFC. Here you have your screen and your buttons.",
    realUnreadable: "That card could not be read: hold it still at the phone's back.", realHidden: "This page was in the background: it reads again now.", realAway: "Its page is in the background, and reads nothing.", realFloods: "Too many cards at once: this reader rests for two seconds.",
    realBarred: "The host lets nobody read cards at this seat.", realLost: "This reader is gone.", realSilent: "This reader does not answer.", realTaken: "Another reader reads for this seat.",
    realReads: "reads", realTaps: "# taps", realHand: "Show my hand", realHide: "Hide my hand", realNotWritten: "The card's name could not be written on its tag. The tag counts all the same.",
    realTitle: "Real cards", realWho: "Who reads where", realNobody: "Nobody reads cards yet. Each phone that can offers it on its page.", realThrow: "Throw out", realAllow: "Allow again",
    realDeck: "Register a deck", realDeckWhy: "One reader takes the cards in order: suit by suit, from the lowest.", realBy: "With", realBegin: "Register", realCards: "# cards", realNext: "Tap this card now", realThen: "then", realLeft: "# to go", realUndo: "Take the last one back",
    realLater: "Go on later", realDone: "All there", realOpening: "One moment: the table opens its list.", realFailed: "The table's list did not open. Look at its screen.",
    realCommon: "One reader for all", realCommonWhy: "One phone lies in the middle, and everybody taps there. Durak, Malice and Bailiff can be played so by two to four. It holds for the next game that you start; its record says so.", realCommonLink: "Scan this with the phone in the middle", realForAll: "the middle", realKindphone: "phone", realKindusb: "USB reader", realKindkeys: "reader that types",
    realBegan: "This game began without one reader for all. Start it again to play it here.", realFour: "One reader for all serves two to four players. Give each seat a reader of its own.",
    realFaceDown: "Several players lay cards face down in this game, and such a card does not tell whose it is. Give each seat a reader of its own.",
    realLayAgain: "That card could not be read: lay it down again.", realAsks: "A new USB reader: lay a card on the one of $.", realAsksHere: "Lay a card on the USB reader at your seat: then the table knows where it stands.", realAsksMiddle: "Lay a card on the USB reader in the middle.", realLearn: "Learn again where USB readers stand",
    realWhose: "Whose card was that? Touch your name, then tap it again.", realTouch: "Touch your name if the table cannot know whose card it is.", realTouched: "Next card: $",
  },
  ru: {
    realRead: "Читать карты этим телефоном", realTyped: "USB-считыватель, печатающий номер", realStop: "Больше не читать", realTap: "Поднесите карту к задней стороне телефона", realTapTyped: "Положите карту на считыватель",
    realNone: "Этот браузер карты не читает; читает Chrome на телефоне Android с NFC. Здесь у вас экран и кнопки.",
    realPlain: "Карты читает только страница, адрес которой начинается с https. Попросите у хозяина такую ссылку.",
    realIphone: "iPhone не даёт страницам читать карты. Здесь у вас экран и кнопки.",
    realRefused: "Вы не разрешили странице NFC. Разрешите его в настройках браузера для этой страницы и нажмите кнопку ещё раз.",
    realOff: "На этом телефоне выключен NFC. Включите его в настройках и нажмите кнопку ещё раз.", realNoNfc: "В этом телефоне нет NFC. Здесь у вас экран и кнопки.",
    realUnreadable: "Карта не прочитана: подержите её у задней стороны телефона неподвижно.", realHidden: "Страница была в фоне: теперь она снова читает.", realAway: "Его страница в фоне и карт не читает.", realFloods: "Слишком много карт сразу: считыватель отдыхает две секунды.",
    realBarred: "Хозяин стола никому не даёт читать карты на этом месте.", realLost: "Считыватель пропал.", realSilent: "Считыватель не отвечает.", realTaken: "За это место читает другой считыватель.",
    realReads: "читает", realTaps: "карт: #", realHand: "Показать мои карты", realHide: "Скрыть мои карты", realNotWritten: "Имя карты не записалось на метку. Метка всё равно годится.",
    realTitle: "Настоящие карты", realWho: "Кто где читает", realNobody: "Карты пока никто не читает. Телефон, который это умеет, предлагает это на своей странице.", realThrow: "Выгнать", realAllow: "Снова разрешить",
    realDeck: "Записать колоду", realDeckWhy: "Один считыватель принимает карты по порядку: масть за мастью, от младшей.", realBy: "Чем", realBegin: "Записать", realCards: "карт: #", realNext: "Теперь поднесите эту карту", realThen: "потом", realLeft: "осталось: #", realUndo: "Вернуть последнюю",
    realLater: "Продолжить позже", realDone: "Все на месте", realOpening: "Минутку: стол открывает список.", realFailed: "Список не открылся. Посмотрите на экран стола.",
    realCommon: "Один считыватель на всех", realCommonWhy: "Один телефон лежит посередине, и все подносят карты к нему. Так играют в дурака, злобу и пристава вдвоём, втроём и вчетвером. Это относится к следующей начатой игре и будет в её записи.", realCommonLink: "Наведите на код телефон, который ляжет посередине", realForAll: "середина", realKindphone: "телефон", realKindusb: "USB-считыватель", realKindkeys: "печатающий считыватель",
    realBegan: "Эта игра началась без общего считывателя. Начните её заново, чтобы играть здесь.", realFour: "Общий считыватель годится для двух, трёх и четырёх игроков. Поставьте считыватель на каждое место.",
    realFaceDown: "В этой игре несколько игроков кладут карты рубашкой вверх, и чья такая карта, узнать нельзя. Поставьте считыватель на каждое место.",
    realLayAgain: "Карта не прочитана: положите её ещё раз.", realAsks: "Новый USB-считыватель. Положите карту на считыватель, место: $.", realAsksHere: "Положите карту на USB-считыватель у вашего места: стол узнает, где он стоит.", realAsksMiddle: "Положите карту на USB-считыватель посередине.", realLearn: "Заново узнать, где какой USB-считыватель",
    realWhose: "Чья это карта? Коснитесь своего имени и поднесите её ещё раз.", realTouch: "Коснитесь своего имени, если стол не может знать, чья это карта.", realTouched: "Следующая карта: $",
  },
});
