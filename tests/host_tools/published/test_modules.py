"""Modules of the pages in node, beside stand-ins for what a browser has: what they do when that fails."""

import json
import subprocess
from pathlib import Path

import pytest

from host_tools.base.project import PAGE
from host_tools.look.published.build import OWN
from host_tools.play.web.desk import BURST
from host_tools.play.web.page_words import list_made, make_module

pytestmark = pytest.mark.npm
STAND_INS = Path(__file__).with_name("stand_ins.mjs")


class Modules:
    """The modules of the site's play/, and those above it, in a folder; `run` answers what a script of a test tells.
    own: what the site has of its own, such as its wire instead of the table's."""

    def __init__(self, folder, own=OWN):
        self.folder = folder
        for path in [*PAGE.glob("*.js"), *own.glob("*.js")]:
            (folder / path.name).write_bytes(path.read_bytes())
        for name in list_made():
            (folder / name).write_text(make_module(name), encoding="utf-8")
        (folder / "site_words.js").write_text(make_module("site_words.js", OWN.parent), encoding="utf-8")
        (folder / "play").mkdir()
        for name in ("link.js", "kept.js"):
            (folder / "play" / name).write_text(f'export * from "../{name}";\n')
        (folder / "package.json").write_text('{"type": "module"}')
        (folder / "stand_ins.js").write_bytes(STAND_INS.read_bytes())

    def run(self, script):
        """What it told, a list."""
        path = self.folder / "script.js"
        path.write_text('import {Settings, at, disk, tell} from "./stand_ins.js";\n' + script, encoding="utf-8")
        done = subprocess.run(["node", path], cwd=self.folder, capture_output=True, text=True, encoding="utf-8")
        assert not done.returncode, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def modules(tmp_path_factory):
    return Modules(tmp_path_factory.mktemp("modules"))


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """Those of a page that a server gives."""
    return Modules(tmp_path_factory.mktemp("served"), own=PAGE)


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
await new Promise((come) => { const look = () => (globalThis.worker ? come() : setImmediate(look)); look(); });
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
while (!one.welcomed) await pass();
one.act("start");
now = 6000;
ready();
now = 6500;
look();
say({type: "welcome", done: 0});
look();
tell(heard.filter((said) => said.do === "hear").map((said) => JSON.parse(said.text).type));
now += 5000;
look();
process.exit(0);
""")
    assert told == [True, True, ["hello", "act"], False], "the last one: an act that nobody answers is noticed as ever"


def test_a_clock_that_comes_late_takes_nothing_of_what_was_for_what_is(modules):
    told = modules.run(CONNECTED + """
const {clockNow, watch} = await import("./onlook.js");
watch(() => {});
while (!globalThis.table) await pass();
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
  while (workers.length === count || count === 0) await pass();
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
while (!globalThis.table) await pass();
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
while (!globalThis.table) await pass();
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


def test_an_older_python_in_a_browsers_cache_is_not_taken_unasked(modules):
    """Its halves would not fit: the site was made again since, and no service worker keeps the files of one version."""
    told = modules.run("""
const asked = [];
globalThis.fetch = (address, more) => {
  asked.push([address, more.cache]);
  return new Promise(() => {}); // its answer is under way
};
const {fetchPython} = await import("./packed.js");
fetchPython("python", () => {});
await new Promise((done) => setImmediate(done));
tell(asked);
""")
    assert told == [[["python/pyodide.asm.bin", "no-cache"]]]


WORKER = """
import {mkdirSync, writeFileSync} from "node:fs";
import {gzipSync} from "node:zlib";
mkdirSync("python", {recursive: true});
writeFileSync("python/pyodide.mjs", `export async function loadPyodide() {
  for (const name of ["pyodide.asm.wasm", "library.zip"]) await (await fetch(name)).arrayBuffer();
  return globalThis.python;
}`);
writeFileSync("fzstd.js", `export const decompress = (bytes) => bytes;
  export class Decompress { constructor(give) { this.push = (chunk) => give(chunk); } }`);
const none = () => {};
const globals = {set: none, get: () => () => ({counter: {live: () => Infinity}})};
globalThis.python = {FS: {mkdirTree: none, writeFile: none}, runPython: none, globals};
URL.createObjectURL = () => "data:text/javascript,export default 1";
const asked = [], said = [], timers = [];
let isAway = true;
globalThis.fetch = async (address) => {
  const name = address.split("/").pop().split("?")[0];
  asked.push(name);
  if (name === "pyodide.later.bin" && isAway) return new Response("", {status: 503});
  return new Response(name === "later.bin" ? gzipSync("[]\\n") : "[]\\n");
};
globalThis.setTimeout = (act, ms) => timers.push([ms, act]);
globalThis.postMessage = ({told}) => said.push(told);
globalThis.onmessage = null;
const until = async (isSo) => {
  for (let turn = 0; !isSo(); turn += 1) {
    if (turn > 1e5) throw new Error(JSON.stringify([asked, said, timers.map(([ms]) => ms)]));
    await new Promise((done) => setImmediate(done));
  }
};
const pass = async (wanted) => {
  await until(() => timers.some(([ms]) => ms === wanted));
  timers.splice(timers.findIndex(([ms]) => ms === wanted), 1)[0][1]();
};
await import("./worker.js");
onmessage({data: {do: "start", seed: "1", language: "en", plays: true}});
"""


def test_what_did_not_come_behind_the_first_card_is_asked_for_until_it_does(modules):
    """A phone whose line was gone for a moment played on, until the first function that is in the later half."""
    told = modules.run(WORKER + """
await pass(2000);
await until(() => said.includes("settled"));
const later = () => asked.filter((name) => name.includes("later"));
tell(later());
await pass(10000);
await pass(10000);
isAway = false;
await pass(10000);
await until(() => later().includes("later.bin"));
tell(later());
process.exit(0);
""")
    half = "pyodide.later.bin"
    assert told == [[half], [half] * 4 + ["later.bin"]]


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
    """Whoever sits down there anew has another one, shown again once somebody asks for it."""
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
    """An answer may have been lost on the way; a table that was started anew has another address."""
    told = served.run(HOST + """
coming.codeParts();
coming.codeParts();
tell(asked);
tell(coming.takeComing({type: "welcome"}));
coming.codeParts();
tell(asked);
""")
    assert told == [["code"], False, ["code", "code"]]


# --- pages of a server ---


def test_a_page_for_all_has_edges_for_four(served):
    """Of more seats it says that they are too many: two of them would lie on each other at each side."""
    told = served.run("""
await import("./page_words.js");
await import("./real_words.js");
const {model} = await import("./model.js");
const {drawCommon} = await import("./common.js");
let page = null;
document.body.append = (made) => { page = made; };
for (const count of [2, 4, 5, 7]) {
  const seats = Array.from({length: count}, (_, at) => ({seat: at + 1, place: at + 1, name: `${at + 1}`}));
  model.table = {...model.table, phase: "play", seats};
  drawCommon(true, {}, {cannot: count > 4 ? "face-down" : "", touched: 0}, () => [], () => null);
  tell(page.children.filter((one) => one.attributes.class.startsWith("edge")).length);
}
""")
    assert told == [2, 4, 0, 0]


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


def test_an_answer_at_the_end_of_a_minute_takes_nothing_of_the_next(served):
    told = served.run("""
let later = [];
let tick = null;
globalThis.setTimeout = (act) => later.push(act);
globalThis.clearTimeout = (id) => { if (id) later[id - 1] = () => {}; };
globalThis.setInterval = (act) => { tick = act; };
globalThis.clearInterval = () => {};
const drill = {answer: ["1"], choices: ["0", "1"], view: {piles: []}, seat: 1, names: ["A"], game: "", question: "?"};
globalThis.fetch = async () => ({ok: true, json: async () => ({drills: [drill, drill, drill]})});
await import("./drills.js");
const all = (one) => [one, ...(one.children || []).flatMap(all)];
const press = async (name, value) => {
  const found = all(at("ask")).find((one) => one.attributes?.[name] === value);
  await found.listeners.click({currentTarget: found});
  await new Promise((done) => setImmediate(done));
};
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


# --- hands and the focus ---


def test_who_stands_on_a_button_of_the_page_for_all_stays_there_when_it_says_something_else(served):
    """A screen reader fell back to the beginning of the page with each play."""
    told = served.run("""
await import("./page_words.js");
await import("./real_words.js");
const {model} = await import("./model.js");
const {drawCommon} = await import("./common.js");
let page = null;
document.body.append = (made) => { page = made; };
const draw = () => drawCommon(true, {}, {cannot: "", touched: 0}, () => [], () => null);
model.table = {...model.table, phase: "play", seats: [1, 2].map((seat) => ({seat, place: seat, name: `${seat}`}))};
draw();
const all = (one) => (one.children || []).flatMap((child) => [child, ...all(child)]);
const isAlert = (one) => (one.attributes || {}).role === "alert";
const alerts = () => tell(all(page).filter(isAlert).map((one) => one.textContent));
model.view = {...model.view, refusals: [{seat: 1, words: "Not your turn"}]};
draw();
alerts();
page.querySelectorAll = (kinds) => (kinds.startsWith("input") ? all(page).filter((one) => one.tag === "button") : []);
page.contains = () => true;
Object.getPrototypeOf(page).focus = function () { tell(this.attributes["data-button"]); };
document.activeElement = page.querySelectorAll("input")[2];
draw();
model.table.title = "Cal's BS";
draw();
alerts();
""")
    assert told == [["1: Not your turn"], "NO", []], "a refusal that still stands is read once"

HAND = """
globalThis.matchMedia = () => ({matches: false});
globalThis.innerHeight = 800;
Object.assign(document, {querySelectorAll: () => [], querySelector: () => null, elementsFromPoint: () => []});
at("stage").getBoundingClientRect = () => ({top: 44});
document.body.style = {};
class Names extends Set {
  contains(name) { return this.has(name); }
  remove(name) { this.delete(name); }
}
const names = (element) => { element.classList = new Names(); };
names(document.body);
const {startHand} = await import("./hand.js");
const {model} = await import("./model.js");
Object.assign(model, {role: "host", seats: [1], bottom: 1});
const on = at("stage").listeners;
startHand(at("stage"), {tap: ({card}) => tell(`tap ${card}`), play() {}, lay() {}, lift() {}, press() {}});
const make = (card) => {
  const node = {
    dataset: {card, place: "hand1", owner: "1"}, style: {transform: ""}, getAnimations: () => [],
    setPointerCapture() {}, closest: (kinds) => (kinds.includes(".card") ? node : null),
  };
  names(node);
  return node;
};
const [eight, queen] = [make("8H"), make("QH")];
const point = (kind, target, pointerId, clientY, buttons, isPrimary = true) => {
  on[`pointer${kind}`]({target, pointerId, clientX: 400, clientY, button: 0, buttons, isPrimary});
};
const dragged = () => tell([eight, queen].map((one) => one.classList.has("dragged")));
"""


def test_a_card_whose_drag_ended_elsewhere_follows_no_mouse(modules):
    """The button was let go outside the window, before the card had moved."""
    told = modules.run(HAND + """
point("down", eight, 1, 790, 1);
point("move", queen, 1, 300, 0);
dragged();
point("down", queen, 1, 300, 1);
point("move", queen, 1, 200, 1);
dragged();
""")
    assert told == [[False, False], [False, True]]


def test_a_finger_that_was_lifted_unheard_forbids_no_later_drag(modules):
    """The card had left the table under it. A second finger beside it drags nothing."""
    told = modules.run(HAND + """
point("down", eight, 7, 700, 1);
point("move", eight, 7, 600, 1);
point("down", queen, 8, 700, 1, false);
point("move", queen, 8, 600, 1, false);
dragged();
point("down", queen, 9, 700, 1);
point("move", queen, 9, 600, 1);
dragged();
tell(document.body.classList.has("dragging"));
""")
    assert told == [[True, False], [False, True], True]


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
    """Over plain http, as in a home network. The next one has it once the first is closed, whoever asks together."""
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
