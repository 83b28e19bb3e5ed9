"""Modules of the site in node, beside stand-ins for what a browser has: what they keep, and how they reach the table,
where storage, connections or workers fail.
"""

import pytest

from host_tools.play.web.desk import BURST

pytestmark = pytest.mark.npm


# --- the browser's storage ---

WRITES = """
const {Kept} = await import("./kept.js");
let text = "";
let changed = 0;
const files = {
  readdir: () => ["record"], stat: () => ({mode: 0, mtime: new Date(changed), size: text.length}),
  isDir: () => false, readFile: () => text,
};
const kept = await Kept.open();
const write = async (said) => { text = said; changed += 1; await kept.write(files, "/kept"); };
const look = () => tell([disk.files.get("/kept/record")?.bytes ?? "", kept.keeps]);
await write("one");
look();
"""


@pytest.mark.parametrize("trouble", ["lost", "refused"])
def test_a_write_in_vain_is_tried_again_and_two_are_told(modules, trouble):
    """A connection that the browser has closed behind a page; a disk that is full at the end of a transaction."""
    told = modules.run(WRITES + f"disk.{trouble} = 3;" + """
for (const said of ["two", "three", "four", "five"]) {
  await write(said);
  look();
}
""")
    assert told == [["one", True], ["one", True], ["one", False], ["one", False], ["five", True]]


def test_where_the_database_was_deleted_all_is_written_anew(modules):
    """Somebody has cleared the browser's data while the page was open."""
    told = modules.run(WRITES + """
disk.files.clear();
disk.opened = 0;
disk.lost = 1;
await kept.write({...files, stat: () => ({mode: 0, mtime: new Date(9), size: 4})}, "/kept"); // another file's change
await kept.write(files, "/kept");
look();
""")
    assert told == [["one", True], ["one", True]]


def test_a_browser_that_refused_storage_from_the_beginning_is_not_written_to(modules):
    """What lies there was not read: this table's files would be mixed with those of another one."""
    told = modules.run("""
const real = indexedDB.open;
indexedDB.open = () => { throw new DOMException("refused", "SecurityError"); };
""" + WRITES.replace("await write", "indexedDB.open = real;\nawait write") + """
tell(await kept.put("/kept/games", "a", new Uint8Array(1)));
""")
    assert told == [["", False], False]


def test_the_page_says_that_nothing_is_kept_and_takes_it_back(modules):
    told = modules.run("""
globalThis.Worker = class { constructor() { globalThis.worker = this; } postMessage() {} };
const {get} = await import("./wire.js");
get("records");
const hear = (data) => { worker.onmessage({data}); tell([document.body.dataset.site, at("site").hidden]); };
hear({told: "ready", keeps: true, marks: {}});
hear({told: "kept", count: 1, keeps: false});
hear({told: "kept", count: 2, keeps: true});
""")
    assert told == [["ready", True], ["siteRefused", False], ["ready", True]]


def test_the_page_says_that_the_table_waits_for_the_network_and_then_what_it_said_before(modules):
    told = modules.run("""
globalThis.Worker = class { constructor() { globalThis.worker = this; } postMessage() {} };
const {get} = await import("./wire.js");
get("records");
const hear = (data) => { worker.onmessage({data}); tell([document.body.dataset.site, at("site").hidden]); };
for (const keeps of [true, false]) {
  hear({told: "ready", keeps, marks: {}});
  for (const isGone of [true, false]) hear({told: "line", isGone});
}
""")
    gone = ["siteGone", False]
    assert told == [["ready", True], gone, ["ready", True], ["siteRefused", False], gone, ["siteRefused", False]]


def test_the_page_says_that_nothing_comes_until_something_does(modules):
    """A line that swallows what is asked gives no error: the page stood at its last percent for ever."""
    told = modules.run("""
let timer = null;
globalThis.setTimeout = (act, ms) => { timer = [act, ms]; };
globalThis.clearTimeout = () => { timer = null; };
globalThis.Worker = class { constructor() { globalThis.worker = this; } postMessage() {} };
const {get} = await import("./wire.js");
get("records");
const hear = (data) => { worker.onmessage({data}); tell([document.body.dataset.site, timer && timer[1]]); };
hear({told: "loading", percent: 34});
timer[0]();
tell(document.body.dataset.site);
hear({told: "loading", percent: 35});
hear({told: "starting"});
""")
    assert told == [["siteLoading", 30_000], "siteSilent", ["siteLoading", 30_000], ["siteStarting", None]]


def test_a_browser_without_room_for_settings_hears_and_acts(modules):
    """Its table is heard, its acts are sent, and what it could not keep is known until the page goes."""
    told = modules.run("""
localStorage.setItem("cardtable.language", "ru");
localStorage.isFull = sessionStorage.isFull = true;
globalThis.Worker = class { constructor() { globalThis.worker = this; } postMessage(said) { tell(said.do); } };
Object.assign(globalThis, {setInterval() {}, performance: {getEntriesByType: () => [], now: () => 0}});
globalThis.fetch = async () => ({ok: false});
const {Connection} = await import("./connection.js");
const heard = [];
const one = new Connection(({type}) => heard.push(type), () => {});
await until(() => globalThis.worker);
worker.onmessage({data: {told: "ready", keeps: true, marks: {}}});
for (const said of [{type: "welcome", done: 0}, {type: "table", phase: "play"}, {type: "view"}]) {
  worker.onmessage({data: {told: "text", text: JSON.stringify(said)}});
}
one.act("tap", {card: "7S"});
tell(heard);
tell([localStorage.getItem("cardtable.phase"), localStorage.getItem("cardtable.language")]);
tell(JSON.parse(sessionStorage.getItem("cardtable.waiting")).map((act) => act.do));
localStorage.removeItem("cardtable.phase");
localStorage.removeItem("cardtable.language");
tell([localStorage.getItem("cardtable.phase"), localStorage.getItem("cardtable.language")]);
process.exit(0);
""")
    assert told == ["start", "open", "hear", "hear",
                    ["welcome", "table", "view"], ["play", "ru"], ["tap"], [None, None]]


# --- the connection to the table ---

# A page of the site with a Connection, on a clock that the test sets; `table` is what stands behind it.
CONNECTED = """
let now = 0;
let look = null;
Date.now = () => now;
globalThis.setInterval = (act) => { look = act; };
globalThis.performance = {getEntriesByType: () => [], now: () => 0};
const lobby = [
  {type: "welcome", role: "host", seats: [1], done: 0, language: "en"},
  {type: "table", phase: "lobby", seats: [], language: "en"},
];
globalThis.fetch = async () => ({ok: true, json: async () => lobby});
const heard = [];
globalThis.Worker = class { constructor() { globalThis.table = this; } postMessage(said) { heard.push(said); } };
const say = (message) => table.onmessage({data: {told: "text", text: JSON.stringify(message)}});
const ready = () => table.onmessage({data: {told: "ready", keeps: true, marks: {}}});
const pass = () => new Promise((done) => setTimeout(done, 0));
"""


def test_a_click_in_the_lobby_before_the_table_stands_is_no_lost_connection(modules):
    """The lobby of a fresh table is shown at once; the line that opens seconds later has swallowed nothing."""
    told = modules.run(CONNECTED + """
const {Connection} = await import("./connection.js");
const one = new Connection(() => {}, (open) => tell(open));
await until(() => one.welcomed);
one.act("start");
now = 6000;
ready();
now = 6500;
look();
say({type: "welcome", done: 0});
look();
const given = heard.filter((said) => said.do === "hear").map((said) => JSON.parse(said.text));
tell(given.map(({type, n}) => [type, n || null]));
now += 5000;
look();
process.exit(0);
""")
    given = [["hello", None], ["act", 1]]
    assert told == [True, True, given, False], "the last one: an act that nobody answers is noticed as ever"


def test_what_is_pressed_before_the_table_stands_is_there_when_it_first_lives(modules):
    """It began with its lobby, then heard of the page, then of the game, and then began once more, with the game."""
    told = modules.run(CONNECTED + """
const {Connection} = await import("./connection.js");
const one = new Connection(() => {}, () => {});
await until(() => one.welcomed);
one.act("start");
tell(heard.map((said) => said.do + (said.text ? ` ${JSON.parse(said.text).type}` : "")));
process.exit(0);
""")
    assert told == [["start", "open", "hear hello", "hear act"]]


@pytest.mark.parametrize("has_file", [True, False])
def test_what_can_be_played_is_read_from_the_lobbys_file_where_that_comes(modules, has_file):
    """The table would put it together before the first card: a twentieth of a second of a quick processor."""
    told = modules.run(CONNECTED + ("" if has_file else "globalThis.fetch = async () => ({ok: false});") + """
lobby.push({type: "choices", games: ["durak"]});
const {openWire} = await import("./wire.js");
const one = openWire();
one.onmessage = ({data}) => tell(data);
await until(() => globalThis.table);
one.onmessage = ({data}) => tell(JSON.parse(data).games);
for (let turn = 0; turn < 9; turn += 1) await pass();
const before = heard.length;
one.onmessage = ({data}) => tell(JSON.parse(data).games);
one.send(JSON.stringify({type: "choices"}));
for (let turn = 0; turn < 9; turn += 1) await pass();
tell(heard.slice(before).map(({text}) => text));
process.exit(0);
""")
    assert told[-2:] == ([["durak"], []] if has_file else [['{"type":"choices"}']][-2:]), told


def test_a_table_that_is_starting_takes_no_lobby_away(modules):
    """The lobby went for a moment, and the cursor left the name that was being typed. A later power cut is told."""
    told = modules.run(CONNECTED + """
const {Connection} = await import("./connection.js");
const one = new Connection((message) => message.phase && tell(message.phase), () => {});
await until(() => one.welcomed);
ready();
for (const phase of ["start", "start", "lobby", "start"]) say({type: "table", phase, seats: []});
process.exit(0);
""")
    assert told == ["lobby", "lobby", "start"]


def test_what_the_site_says_before_its_table_is_in_the_readers_language(modules):
    """Also where no lobby comes, as in mid-game: a reader of Russian read "The table is coming" until it stood."""
    told = modules.run(CONNECTED + """
navigator.languages = ["ru-RU"];
localStorage.setItem("cardtable.phase", "play");
const {Connection} = await import("./connection.js");
new Connection(() => {}, () => {});
await until(() => globalThis.table);
for (const percent of [0, 34]) {
  tell([document.documentElement.lang, at("site").textContent]);
  table.onmessage({data: {told: "loading", percent: 34}});
}
process.exit(0);
""")
    assert told == [["ru", "Стол включается…"], ["ru", "Стол загружается: 34 %"]]


def test_a_clock_that_comes_late_takes_nothing_of_what_was_for_what_is(modules):
    told = modules.run(CONNECTED + """
const {clockNow, watch} = await import("./onlook.js");
watch(() => {});
await until(() => globalThis.table);
ready();
const greet = (time, lines) => {
  say({type: "welcome", role: "public", seats: [], done: 0, language: "en"});
  say({type: "time", ...time});
  say({type: "table", phase: "play", seats: [{seat: 1, place: 1, name: "A"}], language: "en"});
  say({type: "feed", lines});
  now += 3000;
  tell(clockNow());
};
now = 10_000_000;
greet({at: 300_000, over: false, line: 2}, [{n: 1, raw: ["cardtable 1"]}, {n: 2, raw: ["290.5 1 attack 6S"]}]);
greet({at: 300_000, over: true, line: 9}, [{n: 8, raw: ["300.0 1 done"]}, {n: 9, raw: ["result: fool 2"]}]);
say({type: "feed", lines: [{n: 10, raw: ["cardtable 1"]}]});
now += 5000;
tell(clockNow());
say({type: "feed", lines: [{n: 11, raw: ["result: fool 2"]}]});
now += 5000;
tell(clockNow());
process.exit(0);
""")
    assert told == ["5:03", "5:00", "0:05", "0:05"]


def test_a_hint_is_thought_over_by_the_second_worker_and_an_earlier_one_is_not_said(modules):
    told = modules.run(CONNECTED + """
const workers = [];
globalThis.Worker = class {
  constructor() {
    workers.push(this);
    globalThis.table ||= this;
  }
  postMessage(said) { if (said.do === "answer") workers.asked = [...workers.asked || [], said]; }
  terminate() {}
};
await import("./page_words.js"); // as the table's page does
const {openWire} = await import("./wire.js");
const wire = openWire();
wire.onmessage = ({data}) => JSON.parse(data).type === "hint" && tell(JSON.parse(data));
await until(() => globalThis.table);
ready();
const facts = {seen: "[1]", names: ["Ann & Bob", "Vera"], language: "ru"};
for (const ask of ["one", "two"]) say({type: "think", begun: {type: "hint", seat: 1, ask}, facts});
tell([workers.length, ...workers.asked.map(({address}) => address)]);
const text = JSON.stringify({status: 200, text: '{"play": "Take"}'});
for (const {n} of workers.asked) workers[1].onmessage({data: {told: "answer", n, text}});
await pass();
say({type: "think", begun: {type: "hint", seat: 1, ask: "three"}, facts});
workers[1].onerror({});
await pass();
process.exit(0);
""")
    address = "hint?seen=%5B1%5D&language=ru&names=%5B%22Ann+%26+Bob%22%2C%22Vera%22%5D"
    assert told == [[2, address, address], {"type": "hint", "seat": 1, "ask": "two", "play": "Take"},
                    {"type": "hint", "seat": 1, "ask": "three", "why": "This part did not load. Reload the page"}]


def test_where_the_second_worker_cannot_start_the_end_of_a_game_says_so_and_tries_again(modules):
    """A phone without memory for two, or a network that is gone: what thinks is told as no answer."""
    told = modules.run("""
const workers = [];
globalThis.Worker = class {
  constructor() { workers.push(this); }
  postMessage({n, address}) {
    if (workers[0] !== this) return;
    const answer = {status: 200, text: address};
    if (n) queueMicrotask(() => this.onmessage({data: {told: "answer", n, text: JSON.stringify(answer)}}));
  }
  terminate() { this.isGone = true; }
};
const {get} = await import("./wire.js");
const pass = () => new Promise((done) => setImmediate(done));
for (const fail of [(one) => one.onmessage({data: {told: "failed", why: "memory"}}), (one) => one.onerror({})]) {
  const asked = get("records/x.rec/lesson?seat=1");
  const count = workers.length;
  await until(() => workers.length !== count && count !== 0);
  await pass();
  fail(workers.at(-1));
  tell([(await asked).ok, workers.at(-1).isGone, workers.length]);
}
const late = get("puzzles/list.json");
await pass();
workers[0].postMessage = () => {};
const never = get("drills.json");
await pass();
workers[0].onmessage({data: {told: "failed", why: "memory"}});
tell([(await late).ok, (await never).status]);
""")
    assert told == [[False, True, 2], [False, True, 3], [True, 500]]


@pytest.mark.parametrize("search, kept", [("", "lobby"), ("?real", "play")])
def test_the_table_of_real_cards_says_nothing_of_the_phase_of_the_other_one(modules, search, kept):
    """A browser has both; the lobby is shown at once where the table that is opened stood in it."""
    told = modules.run(f"""
location.search = "{search}";
localStorage.setItem("cardtable.phase", "play");
globalThis.Worker = class {{ constructor() {{ globalThis.worker = this; }} postMessage() {{}} }};
const {{get}} = await import("./wire.js");
get("records");
worker.onmessage({{data: {{told: "text", text: '{{"type":"table","phase":"lobby"}}'}}}});
tell(localStorage.getItem("cardtable.phase"));
""")
    assert told == [kept]


def test_what_is_asked_without_a_connection_is_asked_when_it_is_back(modules):
    """Of each kind the last question: a rule, or help, that somebody opens meanwhile does not wait for ever."""
    told = modules.run(CONNECTED + """
const {Connection} = await import("./connection.js");
const one = new Connection(() => {}, () => {});
await until(() => globalThis.table);
ready();
say({type: "welcome", done: 0});
one.welcomed = false;
heard.length = 0;
one.ask("rule", {rule: "D7"});
one.ask("summary", {game: "durak"});
one.ask("rule", {rule: "D8"});
say({type: "welcome", done: 0});
say({type: "welcome", done: 0});
tell(heard.map(({text}) => JSON.parse(text)));
process.exit(0);
""")
    assert told == [[{"type": "rule", "rule": "D8"}, {"type": "summary", "game": "durak"}]]


def test_acts_that_wait_without_a_connection_are_bounded_and_the_others_counted(modules):
    """More than a table takes at once closed the page, and again after each reload. A button that is down comes up, and
    a page that begins to read says so: else it read on for a table that has never heard of it."""
    told = modules.run(CONNECTED + """
const {Connection} = await import("./connection.js");
const one = new Connection(() => {}, () => {});
await until(() => globalThis.table);
const numbers = [];
for (let at = 0; at < 43; at += 1) numbers.push(one.act(at === 39 ? "hold" : "tap"));
numbers.push(one.act("release"), one.act("reader", {on: true, kind: "nfc"}));
tell([numbers.slice(38), one.unsent, JSON.parse(sessionStorage.getItem("cardtable.waiting")).length]);
ready();
say({type: "welcome", done: 0});
await pass();
tell(heard.filter((said) => said.do === "hear").length);
say({type: "ack", n: 42});
tell(one.act("tap"));
process.exit(0);
""")
    assert told[0] == [[39, 40, 0, 0, 0, 41, 42], 3, 42]
    assert told[1] == 1 + 42 < BURST, "hello, and what waits"
    assert told[2] == 43


# --- one tab has the table ---

TABS = """
let now = 0;
let timers = [];
let last = 0;
globalThis.setTimeout = (act, ms) => {
  timers.push({act, at: now + ms, id: last += 1});
  return last;
};
globalThis.clearTimeout = (id) => { timers = timers.filter((one) => one.id !== id); };
const pass = async (ms) => {
  for (const end = now + ms; ;) {
    await new Promise(setImmediate);
    timers.sort((one, other) => one.at - other.at);
    if (!timers.length || timers[0].at > end) { now = end; return; }
    const next = timers.shift();
    now = next.at;
    next.act();
  }
};
let channels = [];
globalThis.BroadcastChannel = class {
  constructor() { channels.push(this); }
  postMessage(data) {
    const hear = (one) => one !== this && channels.includes(one) && one.onmessage({data});
    queueMicrotask(() => channels.forEach(hear));
  }
};
let begun = 0;
globalThis.Worker = class { constructor() { begun += 1; } };
let count = 0;
const open = () => import(`./early.js?tab=${count += 1}`);
"""


def test_without_locks_one_tab_has_the_table_too(modules):
    """Over plain http, as in a home network. The next one has it once the first is closed, also if two ask together."""
    told = modules.run(TABS + """
await open();
await pass(1000);
tell(begun);
await open();
await open();
await pass(10000);
tell(begun);
channels.shift();
await pass(10000);
tell(begun);
""")
    assert told == [1, 1, 2]


def test_two_tabs_that_open_together_do_not_both_have_the_table(modules):
    told = modules.run(TABS + """
await open();
await open();
await pass(10000);
tell(begun);
await open();
await pass(200);
await open();
await pass(10000);
tell(begun);
""")
    assert told == [1, 1]


def test_where_tabs_cannot_ask_each_other_the_table_begins(modules):
    assert modules.run(TABS + "delete globalThis.BroadcastChannel; await open(); tell(begun);") == [1]


# --- what is kept of the site itself ---


def test_a_newer_version_that_another_tab_has_let_take_over_is_loaded_here_too(modules):
    told = modules.run("""
const heard = [];
const registration = {waiting: {postMessage: tell}, addEventListener() {}};
navigator.serviceWorker = {
  controller: {}, ready: Promise.resolve(), register: async () => registration,
  addEventListener: (kind, act) => heard.push(act),
};
let bar = null;
document.querySelector = () => null;
document.body.append = (made) => { bar = made; };
location.reload = () => tell("reload");
const {watchVersion} = await import("./version.js");
await watchVersion("sw.js", "newer", "Reload");
bar.children[1].listeners.click();
heard.shift()();
registration.waiting = null;
bar.children[1].listeners.click();
""")
    assert told == ["take over", "reload", "reload"]


def test_a_newer_version_that_was_on_its_way_before_the_page_asked_is_told_of(modules):
    """A browser looks for one when a page opens, and the table's page asks seconds later."""
    told = modules.run("""
const worker = {addEventListener: (kind, act) => { worker[kind] = act; }};
const registration = {installing: worker, addEventListener() {}};
navigator.serviceWorker = {controller: {}, ready: Promise.resolve(), register: async () => registration};
document.querySelector = () => null;
document.body.append = (made) => tell(made.children[0]);
const {watchVersion} = await import("./version.js");
await watchVersion("sw.js", "newer", "Reload");
tell("not yet");
registration.waiting = worker;
worker.statechange();
""")
    assert told == ["not yet", "newer "]


def test_a_page_whose_bytes_came_is_shown_where_there_is_no_room_to_keep_it(modules):
    told = modules.run("""
const {createHash, webcrypto} = await import("node:crypto");
const {readFileSync} = await import("node:fs");
const page = new TextEncoder().encode("a page");
const full = async () => { throw new DOMException("full", "QuotaExceededError"); };
const cache = {match: async () => undefined, put: full};
const listeners = {};
Object.assign(globalThis, {
  addEventListener: (kind, act) => { listeners[kind] = act; },
  caches: {open: async () => cache}, location: {href: "https://h/sw.js"}, fetch: async () => new Response(page),
});
globalThis.crypto ??= webcrypto;
const hash = createHash("sha256").update(page).digest("hex");
new Function(readFileSync("sw.js", "utf8").replace("FILES = {}", `FILES = {"flash/index.html": "${hash}"}`))();
await new Promise((done) => listeners.fetch({
  request: {url: "https://h/flash/", method: "GET"},
  respondWith: (answer) => answer.then(async (one) => tell(await one.text()), (wrong) => tell(wrong.name)).then(done),
}));
""")
    assert told == ["a page"]


# --- a record that is brought ---

BRINGS = """
Object.assign(at("drop").dataset, {wrong: "wrong", kept: "kept", refused: "refused"});
await import("./bring.js");
const bring = async (name, text) => {
  await at("file").listeners.change({target: {files: [new File([text], name)]}});
  const isTaken = !at("acts").hidden;
  if (isTaken) await at("keep").listeners.click();
  return at("said").textContent;
};
const lying = () => Object.fromEntries([...disk.files].map(
  ([path, {bytes}]) => [path.replace("/kept/games/", ""), new TextDecoder().decode(bytes).split("\\n")[1]]));
"""


def test_no_brought_record_takes_the_place_of_another(modules):
    told = modules.run(BRINGS + """
for (const [name, text] of [
  ["партия.rec", "A"], ["победа.rec", "B"], ["Игра с Олеи\u0306!.rec", "C"], ["game.rec", "D"], ["game.rec", "E"],
  ["game.rec", "D"], [".rec", "F"],
]) tell(await bring(name, `cardtable 1\\n${text}`));
tell(lying());
""")
    assert told[:-1] == ["kept"] * 7
    assert told[-1] == {"партия.rec": "A", "победа.rec": "B", "Игра-с-Олей-.rec": "C",
                        "game.rec": "D", "game-2.rec": "E", "game-3.rec": "F"}


@pytest.mark.parametrize("text", ["cardtable 12\\n", "cardtable 1 and more\\n", "cardtable 1", ""])
def test_a_file_with_another_first_line_is_no_record(modules, text):
    assert modules.run(BRINGS + f'tell(await bring("a.rec", "{text}")); tell(lying());') == ["wrong", {}]


@pytest.mark.parametrize("trouble", ["lost", "refused"])
def test_kept_is_said_once_it_is_kept(modules, trouble):
    """A full disk lets a request pass and refuses its transaction."""
    told = modules.run(BRINGS + f'disk.{trouble} = 1; tell(await bring("a.rec", "cardtable 1\\n")); tell(lying());')
    assert told == ["refused", {}]
