// What a visitor's first games need: node first.mjs PYODIDE WORK TARGET.json; WORK has library.zip, program.bin, packed.mjs.
// Into TARGET go `files`, the paths of all files that first_games.py opens, and `lobby`, what the table says first.

import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";
import {gunzipSync} from "node:zlib";

const [home, work, target] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${home}/pyodide.mjs`));
const {unpack} = await import(pathToFileURL(`${work}/packed.mjs`));
const python = await loadPyodide({indexURL: `${home}/`, stdLibURL: `${work}/library.zip`, env: {HOME: "/home", PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1"}});
unpack(new Uint8Array(gunzipSync(readFileSync(`${work}/program.bin`))), python.FS, "/program");
writeFileSync(target, python.runPython(`
import sys
files = {}
sys.addaudithook(lambda event, facts: files.setdefault(str(facts[0])) if event == "open" else None)
sys.path[:0] = ["/program", "/program/firmware"]
from host_tools.base import on_host
on_host.prepare()
from host_tools.virtual.stepped import speak_linux
speak_linux()
from host_tools.look.published.first_games import play_all
lobby = play_all()
import json
files.update((str(getattr(module, "__file__", "")), None) for module in list(sys.modules.values()))
json.dumps({"files": sorted(files), "lobby": json.loads(lobby)})
`));
process.exit(0);
