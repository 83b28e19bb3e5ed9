// Tells what each line of Python keeps of the heap in the 32-bit MicroPython of npm, whose objects have the size they
// have on an ESP32.
//
//     node webassembly.mjs MICROPYTHON.MJS FOLDER...
//
// Standard input: {"prepare": lines, "steps": [line, ...]} as JSON; standard output: `bench [bytes, ...]`.
// The folders are copied into the interpreter's own file system and searched in that order.

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [program, ...folders] = process.argv.slice(2);
const { prepare, steps } = JSON.parse(readFileSync(0, "utf8"));
const { loadMicroPython } = await import(pathToFileURL(resolve(program)).href);
const python = await loadMicroPython({ heapsize: 1024 * 1024 });

function copy(from, to) {
    python.FS.mkdir(to);
    for (const entry of readdirSync(from, { withFileTypes: true })) {
        if (entry.isDirectory()) {
            if (entry.name !== "__pycache__") copy(join(from, entry.name), `${to}/${entry.name}`);
        } else {
            python.FS.writeFile(`${to}/${entry.name}`, readFileSync(join(from, entry.name)));
        }
    }
}

// This build tidies up only when nothing runs: what gc.collect() asks for is done as runPython returns.
function live() {
    python.runPython("gc.collect()");
    python.runPython("live = gc.mem_alloc()");
    return python.globals.get("live");
}

try {
    folders.forEach((folder, index) => copy(folder, `/searched${index}`));
    const path = folders.map((_, index) => `/searched${index}`);
    python.runPython(`import gc, sys\nsys.path[:] = ${JSON.stringify([...path, ".frozen"])}\nlive = 0`);
    python.runPython(prepare);
    const kept = steps.map((step) => {
        const before = live();
        python.runPython(step);
        return live() - before;
    });
    console.log("bench " + JSON.stringify(kept));
} catch (error) {
    console.error(error.message);
    process.exit(1);
}
