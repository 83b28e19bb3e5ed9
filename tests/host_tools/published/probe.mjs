// Runs drive.py in the Python and the program of a built site, without a browser: node probe.mjs SITE WORK DRIVE.py NUMBERS

import {copyFileSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";
import {gunzipSync} from "node:zlib";

const [site, work, drive, numbers] = process.argv.slice(2);
mkdirSync(work, {recursive: true});
copyFileSync(`${site}/play/fzstd.js`, `${work}/fzstd.mjs`);
const {decompress} = await import(pathToFileURL(`${work}/fzstd.mjs`));
for (const name of ["pyodide.mjs", "pyodide-lock.json"]) copyFileSync(`${site}/play/python/${name}`, `${work}/${name}`);
for (const [packed, name] of [["pyodide.asm.js.bin", "pyodide.asm.mjs"], ["pyodide.asm.bin", "pyodide.asm.wasm"], ["library.bin", "library.zip"]]) {
  writeFileSync(`${work}/${name}`, decompress(readFileSync(`${site}/play/python/${packed}`)));
}
copyFileSync(`${site}/play/packed.js`, `${work}/packed.mjs`);
const {loadPyodide} = await import(pathToFileURL(`${work}/pyodide.mjs`));
const {unpack} = await import(pathToFileURL(`${work}/packed.mjs`));
copyFileSync(`${site}/play/halves.js`, `${work}/halves.mjs`);
const {Halves} = await import(pathToFileURL(`${work}/halves.mjs`));
new Halves(() => decompress(readFileSync(`${site}/play/python/pyodide.later.bin`)));
const python = await loadPyodide({indexURL: `${work}/`, stdLibURL: `${work}/library.zip`, env: {HOME: "/home", PYTHONHASHSEED: "0"}});
for (const [name, opened] of [["program.bin", decompress], ["later.bin", gunzipSync]]) {
  unpack(new Uint8Array(opened(readFileSync(`${site}/play/${name}`))), python.FS, "/program");
}
python.FS.writeFile("/program/drive.py", readFileSync(drive));
python.globals.set("numbers", python.toPy(JSON.parse(numbers)));
process.stdout.write(python.runPython(`
import json, sys
sys.path[:0] = ["/program", "/program/firmware"]
sys.path.append("/program/library")
from host_tools.base import on_host
on_host.prepare()
from host_tools.virtual.stepped import speak_linux
speak_linux()
from drive import play_all
json.dumps(play_all(list(numbers)))
`));
process.exit(0);
