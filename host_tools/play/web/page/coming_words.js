// What the page says to those who come, who are late and who have left.

import {addWords} from "./words.js";

addWords({
  en: {
    code: "Friends join with this code", codeWhy: "Scan it with a phone: everybody chooses a name and a free seat.",
    closedTable: "This table is open to this computer only.", openTable: "Open it to this network", sitDown: "Sit down", chooseSeat: "Choose your seat",
    yourName: "Your name", noSeat: "No seat is free. You can watch.", watch: "Just watch", late: "not here yet",
    wrongLink: "This link is no seat at this table.", wrongWhy: "It may have been cut, or somebody else sits there now. Ask the host for the link again, or scan the code on the table's screen.",
    waitingFor: "Waiting for $", waitingWhy: "The cards are dealt when everybody is here.", beginWithout: "Start without them", twice: "This seat is open on another phone, too", twoPhones: "two phones",
    goneOne: "$ is gone.", goneWhy: "# of $ agree", letPlay: "Let a virtual player go on", agreeOne: "Agree", seated: "You sit at this table. Wait for the host to choose the game.", goodbye: "The table was closed. It goes on here when it is started again.",
  },
  ru: {
    code: "Друзья садятся по этому коду", codeWhy: "Наведите телефон: каждый выберет имя и свободное место.",
    closedTable: "Этот стол виден только с этого компьютера.", openTable: "Открыть для этой сети", sitDown: "Сесть за стол", chooseSeat: "Выберите место",
    yourName: "Ваше имя", noSeat: "Свободных мест нет. Можно смотреть.", watch: "Просто смотреть", late: "ещё не подключился",
    wrongLink: "По этой ссылке места за столом нет.", wrongWhy: "Ссылку могло обрезать, или там уже сидит другой. Попросите ссылку ещё раз или наведите телефон на код на экране стола.",
    waitingFor: "Ждём: $", waitingWhy: "Карты сдадут, когда все соберутся.", beginWithout: "Начать без них", twice: "Это место открыто и на другом телефоне", twoPhones: "два телефона",
    goneOne: "Нет связи: $.", goneWhy: "Согласны: # из $", letPlay: "Пусть играет виртуальный", agreeOne: "Согласен", seated: "Вы за столом. Игру выбирает хозяин стола.", goodbye: "Стол закрыли. Когда его включат снова, игра продолжится здесь.",
  },
});
