// Compiles the modules of a zip for the Python that a browser gets: node compile.mjs PYODIDE SOURCE.zip TARGET.zip WHERE
// WHERE "in-place" makes NAME.pyc of NAME.py; "beside" empties NAME.py, which somebody may look for, and puts what was
// compiled into __pycache__; games keep their source, whose names of registers puzzles are written in. What lies in as_it_is/ is only moved up. Docstrings of the packages of others stay here.

import {readFileSync, writeFileSync} from "node:fs";
import {pathToFileURL} from "node:url";

const [home, source, target, where] = process.argv.slice(2);
const {loadPyodide} = await import(pathToFileURL(`${home}/pyodide.mjs`));
const python = await loadPyodide({indexURL: `${home}/`});
python.FS.writeFile("/source.zip", readFileSync(source));
python.globals.set("where", where);
python.runPython(`
import importlib._bootstrap_external as outer, zipfile

OURS = ("host_tools", "cardtable", "boards", "firmware", "_pyodide", "pyodide")

SAME_LINE = bytes([0xE8 | 7, 0])  # in a table of lines: the next eight steps of the code are on the same line

def slim(code):
    """The same code without the lines and columns of its steps, a third of its packed bytes: each step tells the first
    line of its function."""
    return code.replace(
        co_linetable=SAME_LINE * (len(code.co_code) // 16 + 1),
        co_consts=tuple(slim(one) if isinstance(one, type(code)) else one for one in code.co_consts))

def write(new, name, content):
    new.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)

with zipfile.ZipFile("/source.zip") as old, zipfile.ZipFile("/target.zip", "w") as new:
    for name in old.namelist():
        content = old.read(name)
        if name.startswith("as_it_is/"):
            write(new, name.removeprefix("as_it_is/"), content)
        elif not name.endswith(".py"):
            write(new, name, content)
        else:
            code = slim(compile(content, name, "exec", dont_inherit=True, optimize=0 if name.startswith(OURS) else 2))
            if where == "beside":
                folder, slash, last = name.rpartition("/")
                write(new, name, content if name.startswith("firmware/cardtable/games/") else b"")
                name = f"{folder}{slash}__pycache__/{last[:-3]}.cpython-314.pyc"
                write(new, name, bytes(outer._code_to_hash_pyc(code, bytes(8), False)))
            else:
                write(new, name + "c", bytes(outer._code_to_timestamp_pyc(code, 0, 0)))
`);
writeFileSync(target, python.FS.readFile("/target.zip"));
process.exit(0);
