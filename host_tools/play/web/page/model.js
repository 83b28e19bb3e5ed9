// What the table has said last, and what follows from it. It touches neither the page nor the connection.

export const model = {
  role: "public",
  wrong: false, // the link that was opened is no seat
  seats: [],
  bottom: 0,
  table: {phase: "start", seats: [], places: 0},
  view: {piles: [], turn: [], refusals: [], notice: ""},
  can: new Map(),
  lights: new Map(),
  shone: new Map(), // what each light said when it last shone, and when: one that blinks is dark half of the time
  screen: null,
  feed: [],
  choices: null,
  open: false,
  pending: new Map(),
  error: "",
};

let trump = {game: "", suit: ""};

/** Take one message in; false where it is none of the lasting kind. */
export function take(message) {
  switch (message.type) {
    case "welcome":
      model.role = message.role;
      model.wrong = !!message.wrong;
      model.seats = message.seats || [];
      break;
    case "table": model.table = message; break;
    case "view": model.view = message; break;
    case "can": model.can = new Map(message.seats.map((can) => [can.seat, can])); break;
    case "lights":
      model.lights = new Map(message.lights.map((light) => [light.place, light]));
      for (const light of message.lights) if (light.says !== "off") model.shone.set(light.place, {says: light.says, at: Date.now()});
      break;
    case "screen": model.screen = message; break;
    case "feed": takeFeed(message.lines); break;
    case "choices": if (message.games) model.choices = message; break; // else it was put off
    case "error": model.error = message.why; break;
    default: return false;
  }
  chooseBottom();
  noteTrump();
  return true;
}

function takeFeed(lines) {
  const known = model.feed.length ? model.feed[model.feed.length - 1].n : -1;
  model.fresh = lines.filter((line) => line.n > known);
  model.feed = model.feed.concat(model.fresh).slice(-200);
}

/** The seats at the table; before anybody sits, one for each reader. */
export function seatList() {
  if (model.table.seats.length) return model.table.seats;
  const seats = [];
  for (let place = 1; place <= (model.table.places || model.lights.size); place += 1) {
    seats.push({seat: place, place, name: String(place), who: "open", there: true, nameless: true});
  }
  return seats;
}

/** Whether this browser plays the seat. Before a game all seats are empty: then anybody may press the host's buttons. */
export function isOwn(seat) {
  if (model.seats.includes(seat)) return true;
  return model.role === "host" && !model.table.seats.length;
}

/** The own seat that sits at the bottom: it stays until only another own one is waited for. */
function chooseBottom() {
  const own = seatList().map((seat) => seat.seat).filter(isOwn);
  if (!own.includes(model.bottom)) model.bottom = own[0] || 0;
  const waited = own.filter((seat) => model.view.turn.includes(seat));
  if (waited.length && !waited.includes(model.bottom)) model.bottom = waited[0];
}

/** The next seat that is played here comes to the bottom. */
export function turnTable() {
  const own = seatsAround().map((seat) => seat.seat).filter(isOwn);
  if (own.length > 1) [, model.bottom] = own;
}

/** Seats clockwise, the one at the bottom first. */
export function seatsAround() {
  const seats = seatList();
  const start = Math.max(0, seats.findIndex((seat) => seat.seat === model.bottom));
  return seats.slice(start).concat(seats.slice(0, start));
}

export function seatOf(number) {
  return seatList().find((seat) => seat.seat === number);
}

export function nameOf(number) {
  const seat = seatOf(number);
  return seat ? seat.name : String(number);
}

/** The game's name alone, as a record spells it. */
export function gameName() {
  return (model.table.game || "").split(" ")[0];
}

/** A pile's kind without what tells whose it is. */
export function kindOf(pile) {
  return pile.reader ? "reader" : pile.kind.replace(/[\d.]+$/, "");
}

export function pilesOf(kind, seat) {
  return model.view.piles.filter((pile) => kindOf(pile) === kind && (seat === undefined || pile.seat === seat));
}

export function handOf(seat) {
  return pilesOf("hand", seat)[0];
}

/** The part of a seat in the bout: attacker, defender, out, or "". */
export function roleOf(seat) {
  return (model.view.roles || {})[seat] || "";
}

/** Whom the table waits for, and for what; without the seats that this browser plays, which read their own prompt. */
export function waitingWords() {
  const waits = (model.view.waits || []).filter((one) => !one.seats.some(isOwn));
  return waits.length ? waits[0].words : "";
}

/** Those whose phones are awaited before the game goes on, or "". */
export function awaitedNames() {
  return (model.table.awaited || []).map(nameOf).join(", ");
}

/** The suit that is trump, as far as this page has seen it turned. */
function noteTrump() {
  const game = `${model.table.game}|${model.table.records || []}`;
  if (trump.game !== game) trump = {game, suit: ""};
  const turned = pilesOf("turned", 0)[0];
  if (turned && turned.cards.length) trump.suit = turned.cards[0][1];
}

export function trumpSuit() {
  return model.view.trump ?? trump.suit;
}

export function inLobby() {
  return model.table.phase === "lobby";
}
