"""Modules of the pages in node, beside stand-ins for what a browser has: what they show, and what people do there."""

import pytest

from host_tools.base.project import PAGE
from host_tools.look.published.build import OWN
from host_tools.play.web.bundle import FETCH

pytestmark = pytest.mark.npm


# --- the list of finished games ---


def test_the_list_of_fifty_games_is_asked_for_again_when_there_is_one_more(modules):
    """It leaves out its oldest, and is as long as before."""
    told = modules.run("""
const {model} = await import("./model.js");
let asked = 0;
globalThis.Worker = class {
  postMessage({n, address}) {
    if (!n) return;
    asked += 1;
    const games = model.table.records.map((name) => ({name, when: "", game: "Durak", result: ""}));
    const text = JSON.stringify({status: 200, text: JSON.stringify({games})});
    queueMicrotask(() => this.onmessage({data: {told: "answer", n, text}}));
  }
};
const {makeFinished} = await import("./finished.js");
const names = (count) => Array.from({length: 50}, (_, at) => `game-${count - at}.rec`);
for (const count of [50, 51, 51, 52]) {
  model.table = {records: names(count), seats: []};
  await new Promise((drawn) => { makeFinished(drawn); setImmediate(drawn); });
  tell([makeFinished(() => {}).children[0].getAttribute("data-record"), asked]);
}
""")
    assert told == [["game-50.rec", 1], ["game-51.rec", 2], ["game-51.rec", 2], ["game-52.rec", 3]]


def test_the_trump_of_the_game_before_is_forgotten_with_fifty_games_too(modules):
    told = modules.run("""
const {take, trumpSuit} = await import("./model.js");
const names = (count) => Array.from({length: 50}, (_, at) => `game-${count - at}.rec`);
const table = (count) => take({type: "table", game: "durak", seats: [], places: 2, records: names(count)});
const turned = (cards) => take({type: "view", piles: [{place: "turned", kind: "turned", seat: 0, cards}], turn: []});
table(50);
turned(["7S"]);
turned([]);
tell(trumpSuit());
table(51);
tell(trumpSuit());
""")
    assert told == ["S", ""]


# --- the host's links ---

HOST = """
await import("./page_words.js");
const {model} = await import("./model.js");
const coming = await import("./coming.js");
const settings = await import("./settings.js");
Object.assign(at("dialog"), {open: false, showModal() { this.open = true; }});
const asked = [];
const doers = {act() {}, ask: (type) => asked.push(type), redraw() {}, sit() {}, reading: () => "", newTable() {}};
coming.startComing(doers);
settings.startSettings(doers);
Object.assign(model, {role: "host", open: true});
const sits = (who, name, came) => {
  const seats = [{seat: 1, name: "Oleg", who: "here"}, {seat: 2, name, who, came}];
  model.table = {phase: "play", game: "durak", seats, records: [], places: 2};
  settings.refreshSettings();
};
const all = (one) => [one, ...(one.children || []).flatMap(all)];
const look = () => tell(all(at("dialog")).filter((one) => one.tag === "input").map((one) => one.attributes.value));
globalThis.fetch = async () => ({ok: false});
"""


def test_a_link_is_shown_as_long_as_it_leads_to_its_seat(served):
    """The next player there has another one, which is shown once somebody asks for it."""
    told = served.run(HOST + """
sits("phone", "Anna", false);
settings.openSettings();
for (const [who, name, came] of [["bot:easy", "Anna", false], ["phone", "Vera", true]]) {
  settings.takeLink({seat: 2, url: "http://h/#OLD", qr: ""});
  look();
  at("dialog").open = false;
  sits(who, name, came);
  sits("phone", "Anna", false);
  settings.openSettings();
  look();
}
settings.takeLink({why: "that seat is not played on another device"});
look();
settings.takeLink({seat: 2, closed: true, url: "http://localhost/#NEW", qr: ""});
look();
tell(all(at("dialog")).some((one) => one.textContent === "This table is open to this computer only."));
""")
    assert told == [["http://h/#OLD"], [], ["http://h/#OLD"], [], [], [], True]


def test_the_code_is_asked_for_again_when_the_connection_is_back(served):
    """An answer may have been lost on the way; a table that was started again has another address."""
    told = served.run(HOST + """
coming.codeParts();
coming.codeParts();
tell(asked);
tell(coming.takeComing({type: "welcome"}));
coming.codeParts();
tell(asked);
""")
    assert told == [["code"], False, ["code", "code"]]


def test_a_phone_that_comes_moves_no_cursor_of_the_host_onto_another_button(served):
    """The panel over the table is drawn again for each phone. A host who had marked the link stood on the button that
    begins without the others, and the next Enter began."""
    told = served.run(HOST + """
const box = at("coming");
const controls = (kinds) => all(box).filter((one) => kinds.split(", ").includes(one.tag));
const first = (kinds) => controls(kinds)[0];
Object.assign(box, {contains: (one) => !!one, querySelectorAll: controls, querySelector: first});
Object.assign(Object.getPrototypeOf(box), {focus() { document.activeElement = this; }, setSelectionRange() {}});
const drawn = (...awaited) => {
  model.table = {phase: "play", game: "durak", seats: [{seat: 2, name: "Anna"}, {seat: 3, name: "Vera"}], awaited};
  coming.drawComing(box);
  const now = document.activeElement;
  tell([controls("button, input").length, controls("button, input").includes(now) ? now.tag : ""]);
};
coming.takeComing({type: "code", url: "http://h/#JOIN", qr: "<svg/>"});
drawn(2, 3);
controls("input")[0].focus();
drawn(3);
coming.takeComing({type: "code", url: "http://h/#JOIN", qr: "", closed: true});
drawn(3);
""")
    assert told == [[2, ""], [2, "input"], [2, "button"]]


# --- a page for all ---

FOR_ALL = """
await import("./page_words.js");
await import("./real_words.js");
const {model} = await import("./model.js");
const {drawCommon} = await import("./common.js");
let page = null;
document.body.append = (made) => { page = made; };
const draw = (count, cannot = "") => {
  const seats = Array.from({length: count}, (_, at) => ({seat: at + 1, place: at + 1, name: `${at + 1}`}));
  model.table = {...model.table, phase: "play", seats};
  drawCommon(true, {}, {cannot, touched: 0}, () => [], () => null);
};
"""


def test_a_page_for_all_has_edges_for_four(served):
    """Of more seats it says that they are too many: two of them would lie on each other at each side."""
    told = served.run(FOR_ALL + """
for (const count of [2, 4, 5, 7]) {
  draw(count, count > 4 ? "face-down" : "");
  tell(page.children.filter((one) => one.attributes.class.startsWith("edge")).length);
}
""")
    assert told == [2, 4, 0, 0]


def test_who_stands_on_a_button_of_the_page_for_all_stays_there_when_it_says_something_else(served):
    """A screen reader fell back to the beginning of the page with each play."""
    told = served.run(FOR_ALL + """
draw(2);
const all = (one) => (one.children || []).flatMap((child) => [child, ...all(child)]);
const isAlert = (one) => (one.attributes || {}).role === "alert";
const alerts = () => tell(all(page).filter(isAlert).map((one) => one.textContent));
model.view = {...model.view, refusals: [{seat: 1, words: "Not your turn"}]};
draw(2);
alerts();
page.querySelectorAll = (kinds) => (kinds.startsWith("input") ? all(page).filter((one) => one.tag === "button") : []);
page.contains = () => true;
Object.getPrototypeOf(page).focus = function () { tell(this.attributes["data-button"]); };
document.activeElement = page.querySelectorAll("input")[2];
draw(2);
model.table.title = "Cal's BS";
draw(2);
alerts();
""")
    assert told == [["1: Not your turn"], "NO", []], "a refusal that still stands is read once"


# --- readers of the device ---


def test_who_presses_twice_before_the_phone_has_allowed_it_reads_each_card_once(served):
    told = served.run("""
const scans = [];
globalThis.NDEFReader = class { async scan({signal}) { scans.push([this, signal]); } };
const {startNfc, stopNfc} = await import("./nfc.js");
const tap = () => {
  for (const [one, signal] of scans) if (!signal.aborted) one.onreading({serialNumber: "04:aa", message: null});
};
const read = [];
await startNfc({read: (uid) => read.push(uid), trouble() {}});
await startNfc({read: (uid) => read.push(uid), trouble() {}});
tap();
tell(read);
stopNfc();
tap();
tell(read);
""")
    assert told == [["04AA"], ["04AA"]]


def test_who_presses_twice_is_not_told_that_the_phone_cannot_read(served):
    """The first press is given up for the second, and that is no failure."""
    told = served.run("""
const pass = () => new Promise((done) => setImmediate(done));
let allow = null;
globalThis.NDEFReader = class {
  scan({signal}) {
    return new Promise((done, refuse) => {
      allow = done;
      signal.onabort = () => refuse(signal.reason);
    });
  }
};
document.head = {append() {}};
window.isSecureContext = true;
navigator.userAgent = "";
await import("./page_words.js");
const real = await import("./real.js");
const acts = [];
real.startReal({act: (...one) => acts.push(one), redraw() {}, stage: {append() {}}});
real.hear({type: "readers", readers: [], barred: [], enrolment: null, alone: true});
const parts = () => real.hostParts().filter((one) => one.attributes);
const press = () => parts().find((one) => one.attributes["data-act"] === "read-cards").listeners.click();
press();
press();
await pass();
allow();
await pass();
tell(acts.map(([verb, {on, kind}]) => [verb, on, kind]));
tell(parts().filter((one) => one.attributes.class === "trouble").map((one) => one.textContent));
""")
    assert told == [[["reader", True, "nfc"]], []]


def test_each_enter_of_a_reader_that_types_is_its_own(served):
    """Many end a number with two of them: the second one pressed *Stop*, which has the focus while the page reads. A
    person's comes later, or straight behind a Tab."""
    told = served.run("""
const {startTyped} = await import("./nfc.js");
const read = [];
startTyped({read: (uid) => read.push(uid)});
let now = 1000;
const type = (keys, wait = 10) => tell(keys.map((key) => {
  let isPrevented = false;
  now += wait;
  document.onkeydown({key, timeStamp: now, target: {}, preventDefault() { isPrevented = true; }, stopPropagation() {}});
  return isPrevented;
}));
type([..."04A1B2C3", "Enter", "Enter"]);
type(["Enter", "Enter"], 1000);
type([..."04A1B2C3D4", "Enter", "Enter"]);
type(["Tab"], 1000);
type(["Enter"]);
tell(read);
""")
    assert told == [[True] * 10, [False] * 2, [True] * 12, [False], [False], ["04A1B2C3"]]


# --- what other pages say ---


def test_of_two_names_chosen_quickly_the_last_one_s_games_are_shown(served):
    told = served.run("""
const answers = {};
globalThis.fetch = (address) => new Promise((done) => {
  answers[new URLSearchParams(address.split("?")[1]).get("name")] = done;
});
const mistakes = {judged: 0, fewest: 1, of: 1, kinds: [], months: [], todo: []};
const games = (name) => [{name: "x.rec", date: "", game: `of ${name}`, players: [], result: ""}];
const pass = () => new Promise((done) => setImmediate(done));
const answer = async (name) => {
  const told = {names: ["Anna", "Boris"], games: games(name), opponents: [], mistakes};
  answers[name]({ok: true, json: async () => told});
  await pass();
};
await import("./mine.js");
await answer("");
const all = (one) => [one, ...(one.children || []).flatMap(all)];
const list = () => all(at("ask")).find((one) => one.tag === "select");
for (const name of ["Anna", "Boris"]) list().listeners.change({target: {value: name}});
await answer("Boris");
await answer("Anna");
tell(all(at("ask")).map((one) => one.textContent).find((text) => text?.startsWith("of ")));
""")
    assert told == ["of Boris"]


DRILL = """
const drill = {answer: ["1"], choices: ["0", "1"], view: {piles: []}, seat: 1, names: ["A"], game: "", question: "?"};
const all = (one) => [one, ...(one.children || []).flatMap(all)];
const press = async (name, value) => {
  const found = all(at("ask")).find((one) => one.attributes?.[name] === value);
  await found.listeners.click({currentTarget: found});
  await new Promise((done) => setImmediate(done));
};
"""


def test_an_answer_at_the_end_of_a_minute_takes_nothing_of_the_next(served):
    told = served.run(DRILL + """
let later = [];
let tick = null;
globalThis.setTimeout = (act) => later.push(act);
globalThis.clearTimeout = (id) => { if (id) later[id - 1] = () => {}; };
globalThis.setInterval = (act) => { tick = act; };
globalThis.clearInterval = () => {};
globalThis.fetch = async () => ({ok: true, json: async () => ({drills: [drill, drill, drill]})});
await import("./drills.js");
await press("data-act", "start");
document.body.dataset.state = "question";
await press("data-choice", "1");
for (let second = 0; second < 60; second += 1) tick();
await press("data-act", "start");
const asked = at("ask").children;
for (const act of later) await act();
tell([at("ask").children === asked, later.length]);
""")
    assert told == [[True, 1]]


def test_a_minute_of_drills_goes_on_once_the_line_is_back(served):
    told = served.run(DRILL + """
let later = [];
globalThis.setTimeout = (act) => later.push(act);
Object.assign(globalThis, {clearTimeout() {}, setInterval() {}, clearInterval() {}});
let isGone = false;
globalThis.fetch = async () => {
  if (isGone) throw new TypeError("gone");
  return {ok: true, json: async () => ({drills: [drill]})};
};
await import("./drills.js");
await press("data-act", "start");
document.body.dataset.state = "question";
await press("data-choice", "1");
const asked = at("ask").children;
for (const gone of [true, true, false]) {
  isGone = gone;
  for (const act of later.splice(0)) await act();
  tell([later.length, at("ask").children === asked]);
}
""")
    assert told == [[1, True], [1, True], [0, False]]


def test_a_play_that_is_only_perhaps_not_the_best_is_counted_apart_from_mistakes(served):
    told = served.run("""
const {Replay} = await import("./replay.js");
const frames = [
  {mistake: {kind: "perhaps"}}, {mark: "take", mistake: {kind: "blunder"}}, {mark: "refusal"}, {mark: "take"},
];
const game = new Replay({readers: ["all"], views: {all: {first: {}, frames}}});
tell(["refusal", "take", "mistake", "perhaps", "better"].map((mark) => game.count(mark)));
""")
    assert told == [[1, 2, 1, 1, 2]]


def test_d10_a_replay_tells_the_trump_that_counts_and_not_the_suit_that_lies_turned(served):
    told = served.run("""
const {trumpSuit} = await import("./model.js");
const {Replay} = await import("./replay.js");
const turned = {place: "turned", kind: "turned", seat: 0, slot: 1, count: 1, cards: ["7S"], reader: 0};
const frames = [{n: 1, piles: [turned]}, {n: 2, trump: "H"}];
const game = new Replay({readers: ["all"], seats: [], colours: {}, views: {all: {first: {trump: ""}, frames}}});
for (const index of [1, 2]) { game.show(index); tell(trumpSuit()); }
""")
    assert told == ["", "H"]


def test_a_file_that_is_saved_stays_until_a_slow_browser_has_read_it(served):
    """Safari reads it after the click, when it was gone: the download came to nothing."""
    told = served.run("""
const {saveFile} = await import("./save.js");
const link = {click: () => tell(["click", link.href, link.download])};
document.createElement = () => link;
URL.createObjectURL = () => "blob:1";
URL.revokeObjectURL = (address) => tell(["gone", address]);
globalThis.setTimeout = (act, ms) => { tell(ms); act(); };
saveFile("game.rec", "cardtable 1");
""")
    assert told == [["click", "blob:1", "game.rec"], 60_000, ["gone", "blob:1"]]
    scripts = [*PAGE.rglob("*.js"), *OWN.rglob("*.js")]
    assert [path.name for path in scripts if "revokeObjectURL" in path.read_text(encoding="utf-8")] == ["save.js"]


# --- what is read aloud, and what keeps its place ---


def test_what_decided_a_game_is_read_aloud_once_when_it_has_come(served):
    """A place that was there before says it, and neither the little picture nor the ways from there."""
    told = served.run("""
const {model} = await import("./model.js");
await import("./page_words.js");
const {drawEnding, makeEnding, startEnding} = await import("./ending.js");
const answers = [];
globalThis.fetch = () => new Promise((done) => { answers.push((told) => done({ok: true, json: async () => told})); });
startEnding({}, () => {});
model.table = {...model.table, phase: "over", record: "game-1.rec", closed: true, seats: [], result: "fool 2"};
const [box] = makeEnding();
const panel = document.createElement("section");
panel.style = {setProperty() {}};
const all = (one) => [one, ...(one.children || []).flatMap(all)];
const live = (one) => one.attributes && (one.attributes.role === "status" || "aria-live" in one.attributes);
const look = () => tell(all(box).filter(live).map((one) => [one.textContent, one.children.length]));
drawEnding(panel, 0);
const [place] = all(box).filter(live);
look();
const own = {line: 5, seat: 1, sentence: "Your worst play", reason: ""};
answers[0]({words: "It turned here.", moment: null, own, more: []});
await new Promise((done) => { setTimeout(done); });
drawEnding(panel, 0);
look();
drawEnding(panel, 0);
const said = all(box).filter((one) => one.textContent === "It turned here.");
tell([said.length, said[0] === place]);
process.exit(0);
""")
    assert told[0] == [["What decided it? One moment …", 0]]
    assert told[1:] == [[["It turned here.", 0]], [1, True]]


def test_what_decided_a_game_is_asked_for_again_where_the_line_was_gone_or_the_table_had_no_time(served):
    told = served.run("""
const {model} = await import("./model.js");
await import("./page_words.js");
const {drawEnding, makeEnding, startEnding} = await import("./ending.js");
let again = [];
globalThis.setTimeout = (act, ms) => { if (ms >= 1000) again.push(act); };
const answers = [
  () => { throw new TypeError("gone"); }, () => ({ok: false, status: 503}),
  () => ({ok: true, status: 200, json: async () => ({words: "It turned here.", moment: null, own: null, more: []})}),
];
globalThis.fetch = async () => answers.shift()();
const panel = document.createElement("section");
panel.style = {setProperty() {}};
const pass = () => new Promise((done) => setImmediate(done));
const all = (one) => [one, ...(one.children || []).flatMap(all)];
startEnding({}, () => drawEnding(panel, 0));
model.table = {...model.table, phase: "over", record: "game-1.rec", closed: true, seats: [], result: "fool 2"};
const [box] = makeEnding();
const [place] = all(box).filter((one) => one.attributes && one.attributes.role === "status");
drawEnding(panel, 0);
for (let turn = 0; turn < 3; turn += 1) {
  for (let wait = 0; wait < 5; wait += 1) await pass();
  tell([place.textContent, answers.length]);
  for (const act of again.splice(0)) act();
}
""")
    waits = "What decided it? One moment …"
    assert told == [[waits, 2], [waits, 1], ["It turned here.", 0]]


def test_an_enter_key_that_stays_down_presses_no_second_button(served):
    """`renew` gives the focus to another one under the finger; the first press and other keys are the browser's."""
    told = served.run("""
let pressed = null;
globalThis.addEventListener = (kind, act) => { if (kind === "keydown") pressed = act; };
await import("./make.js");
for (const [key, repeat] of [["Enter", false], ["Enter", true], ["ArrowLeft", true]]) {
  let isStopped = false;
  pressed({key, repeat, preventDefault() { isStopped = true; }});
  tell(isStopped);
}
""")
    assert told == [False, True, False]


def test_what_stays_in_a_list_is_not_moved_when_something_else_goes(modules):
    """An element that is moved loses the focus."""
    told = modules.run("""
const {keyed} = await import("./make.js");
const list = document.createElement("ol");
let moved = [];
Object.defineProperty(list, "firstChild", {get: () => list.children[0] ?? null});
list.insertBefore = (child, next) => {
  moved.push(child.dataset.key);
  if (list.children.includes(child)) list.children.splice(list.children.indexOf(child), 1);
  list.children.splice(next ? list.children.indexOf(next) : list.children.length, 0, child);
};
const create = () => {
  const child = document.createElement("li");
  Object.defineProperty(child, "nextSibling", {get: () => list.children[list.children.indexOf(child) + 1] ?? null});
  child.remove = () => list.children.splice(list.children.indexOf(child), 1);
  return child;
};
for (const items of ["abcd", "bcd", "dbe"]) {
  moved = [];
  const made = keyed(list, [...items], (one) => one, create);
  const keys = list.children.map((one) => one.dataset.key).join("");
  tell([moved.join(""), keys, made.every((one, at) => one === list.children[at])]);
}
""")
    assert told == [["abcd", "abcd", True], ["", "bcd", True], ["de", "dbe", True]]


def test_a_stream_s_overlay_speaks_the_language_that_the_server_gave_its_page(served):
    told = served.run("""
navigator.languages = ["en"];
location.search = "?language=en";
Object.assign(globalThis, {setInterval() {}, performance: {getEntriesByType: () => []}});
location.protocol = "http:";
globalThis.WebSocket = class {
  constructor() { globalThis.line = this; }
  send(text) { tell(JSON.parse(text).language); }
};
const {watch} = await import("./onlook.js");
for (const lang of ["ru", "en"]) {
  document.documentElement.lang = lang;
  watch(() => {});
  line.onopen();
}
""")
    assert told == ["ru", "en"]


def test_a_page_speaks_the_language_of_its_address_then_the_chosen_one_then_the_browser_s(served):
    told = served.run("""
await import("./page_words.js");
const {wantedLanguage} = await import("./reading.js");
navigator.languages = ["xx", "ru-RU"];
const ask = (search) => { location.search = search; tell(wantedLanguage()); };
ask("");
localStorage.setItem("cardtable.language", "en");
ask("");
ask("?language=ru");
ask("?language=xx");
""")
    assert told == ["ru", "en", "ru", "en"]


def test_a_language_that_is_asked_for_holds_in_the_tab_and_leaves_the_address(served):
    """Anyone who was sent the address read it in the sender's language."""
    told = served.run("""
await import("./page_words.js");
const {wantedLanguage} = await import("./reading.js");
navigator.languages = ["en"];
globalThis.history = {state: 7, replaceState: (...said) => tell(said)};
Object.assign(location, {pathname: "/view", hash: "#line=3", search: "?kept=a%2Bb.rec&language=ru"});
tell(wantedLanguage());
Object.assign(location, {search: "?kept=a%2Bb.rec"});
tell(wantedLanguage());
location.search = "?language=en";
tell(wantedLanguage());
""")
    assert told == [[7, "", "/view?kept=a%2Bb.rec#line=3"], "ru", "ru", [7, "", "/view#line=3"], "en"]


def test_a_part_that_did_not_come_is_asked_for_under_another_address_until_it_comes(served):
    """Browsers remember that a module did not come: its own address would be tried in vain."""
    told = served.run("""
let isGone = true;
const asked = [];
const ask = async (address) => { asked.push(address); if (isGone) throw new TypeError("gone"); return 1; };
Date.now = () => asked.length;
""" + FETCH.replace("import(", "ask(") + """
for (const gone of [true, true, false, false]) {
  isGone = gone;
  await fetchPart("a.js").catch(() => {});
}
await fetchPart("b.js");
tell(asked);
""")
    assert told == [["./a.js", "./a.js?1", "./a.js?2", "./a.js?2", "./b.js"]]
