"""Modules of the pages in node, beside stand-ins for what a browser has: what they do when that fails."""

import json
import subprocess
from pathlib import Path

import pytest

from host_tools.base.project import PAGE
from host_tools.look.published.build import OWN
from host_tools.play.web.page_words import list_made, make_module

pytestmark = pytest.mark.npm
STAND_INS = Path(__file__).with_name("stand_ins.mjs")


class Modules:
    """The modules of the site's play/, and those above it, in a folder; `run` answers what a script of a test tells."""

    def __init__(self, folder):
        self.folder = folder
        for path in [*PAGE.glob("*.js"), *OWN.glob("*.js")]:  # the site's wire instead of the table's
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
