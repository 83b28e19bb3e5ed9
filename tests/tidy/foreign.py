"""Foreign files and foreign text: host_tools/base/foreign.py alone reads what a caller names, and alone prints.

The check looks at names of calls and not at where a path or a text comes from: so a file that reads or prints
otherwise stands in a list here, with the reason.
"""

import ast

from tests.tidy.findings import Finding, walk

GATE = "host_tools/base/foreign.py"
_READS = {"open", "read_text", "read_bytes", "fdopen", "readline", "readlines"}
_PRINTS = {"print", "echo", "secho", "out", "echo_via_pager"}

# Files that MicroPython runs: standard output is their answer to their caller, and the gate cannot be there.
INSIDE = (
    "host_tools/virtual/shims/", "host_tools/judge/replay/core.py", "host_tools/judge/replay/device.py",
    "host_tools/lab/cuts/on_device.py",
    "host_tools/lab/cuts/ways.py", "host_tools/maker/device/on_table.py", "host_tools/lab/bench/on_device.py",
    "host_tools/lab/bench/micropython.py", "host_tools/lab/bench/driver_frames.py", "host_tools/lab/bench/workload.py",
)  # fmt: skip

# (file, the call): reads what the project has made itself, or prints nothing that is foreign.
OWN = {
    ("host_tools/base/files.py", "open"): "makes the new file that it hands out",
    ("host_tools/base/interpreters.py", "read_bytes"): "the program that it has written",
    ("host_tools/base/interpreters.py", "print"): "`make setup` ends here, before there is a click; its own sentences",
    ("host_tools/base/fast/behind.py", "open"): "the log of what compiles behind a table",
    ("host_tools/base/fast/behind.py", "print"): "a line of that log",
    ("host_tools/base/fast/behind.py", "read_text"): "the project's own list of packages",
    ("host_tools/base/fast/build.py", "print"): "`make setup` ends here, too; its own sentences",
    ("host_tools/base/fast/build.py", "read_text"): "the project's own source",
    ("host_tools/base/fast/build.py", "read_bytes"): "what it has compiled",
    ("host_tools/base/fast/declare.py", "read_text"): "the project's own source",
    ("host_tools/base/fast/sources.py", "open"): "a file that is locked, and not read",
    ("host_tools/base/fast/sources.py", "read_bytes"): "the project's own source",
    ("host_tools/base/fast/sources.py", "read_text"): "the stamp of what was built of it",
    ("host_tools/base/fast/sources.py", "print"): "a folder, for `make wheel`",
    ("host_tools/minds/players/engine_process.py", "read_bytes"): "what the kernel says of processes",
    ("host_tools/minds/arena/play.py", "open"): "appends to its own results",
    ("host_tools/minds/analysis/chances.py", "read_text"): "the coefficients that stand beside it",
    ("host_tools/lab/bench/fit_value.py", "read_text"): "the same coefficients, to which it adds",
    ("host_tools/club/tournament/rehearse.py", "open"): "a journal in memory",
    ("host_tools/lab/bench/peers.py", "open"): "the null device, for what a library prints past Python",
    ("host_tools/lab/bench/samples.py", "read_bytes"): "the project's own source, for its digest",
    ("host_tools/lab/bench/report.py", "print"): "rich's tables of figures that were measured here",
    ("host_tools/lab/bench/report.py", "read_text"): "the page of the benchmarks",
    ("host_tools/lab/bench/page.py", "read_text"): "what the kernel says of a process",
    ("host_tools/lab/bench/hall.py", "read_text"): "what the kernel says of processes",
    ("host_tools/lab/bench/network.py", "read_text"): "what the kernel says of processes",
    ("host_tools/lab/bench/viewers.py", "read_text"): "what the kernel says of this process",
    ("host_tools/lab/bench/viewers.py", "read_bytes"): "a record of the project",
    ("host_tools/lab/bench/built.py", "read_text"): "the firmware's source",
    ("host_tools/virtual/constants.py", "read_text"): "the firmware's source",
    ("host_tools/virtual/lean.py", "read_text"): "the firmware's source",
    ("host_tools/lab/bench/run.py", "read_text"): "what the kernel says of the processor",
    ("host_tools/virtual/cpython_start.py", "read_text"): "the program that the virtual table starts",
    ("host_tools/play/scripted/demo.py", "out"): "its texts go through printable, or are the scene's own words",
    ("host_tools/play/scripted/show.py", "print"): "into a picture; its texts go through printable",
    ("host_tools/virtual/quiet.py", "read_text"): "of the glass, which is no file",
    ("host_tools/play/scripted/show.py", "read_text"): "of the glass, which is no file",
    ("host_tools/virtual/image.py", "read_text"): "the firmware's source and what was built of it",
    ("host_tools/virtual/image.py", "read_bytes"): "the firmware's source and what was built of it",
    ("host_tools/virtual/in_process.py", "read_text"): "the firmware's main.py",
    ("host_tools/maker/device/filesystem.py", "open"): "files of the image that it makes",
    ("host_tools/look/watch.py", "read_text"): "the project's own pages",
    ("host_tools/look/published/first_games.py", "open"): "of the counter, which is no file",
    ("host_tools/lab/release/__main__.py", "read_text"): "the changelog of this clone",
    ("host_tools/lab/release/__main__.py", "open"): "an archive that git makes of this clone",
    ("host_tools/lab/release/archives.py", "read_bytes"): "files that this build has made",
    ("host_tools/lab/release/archives.py", "open"): "archives that this build makes",
    ("host_tools/lab/fuzz/server.py", "open"): "what the server that it attacks says",
    ("host_tools/lab/fuzz/run.py", "read_bytes"): "what the firmware wrote into a folder of this run",
    ("host_tools/lab/fuzz/player.py", "read_bytes"): "what the firmware wrote into a folder of this run",
    ("host_tools/judge/position_line.py", "read_text"): "the source of the project's games",
    ("host_tools/judge/rulebook/book.py", "read_text"): "the rulebook and the tests",
    ("host_tools/judge/rulebook/pages.py", "read_text"): "the rulebook and the tests",
    ("host_tools/judge/replay/sources.py", "open"): "the archive that it writes",
    ("host_tools/judge/replay/bounded.py", "open"): "archives, by their libraries; what comes out of them is counted",
    ("host_tools/maker/device/package.py", "read_bytes"): "the application that was built",
    ("host_tools/maker/device/deploy.py", "read_bytes"): "loader and starter",
    ("host_tools/maker/device/table.py", "read_text"): "on_table.py",
    ("host_tools/base/bugs.py", "open"): "appends to its own file",
    ("host_tools/cli.py", "open"): "the null device",
    ("host_tools/sight/follower.py", "open"): "the record that the firmware of this table writes",
    ("host_tools/play/library.py", "open"): "the header of such a record",
    ("host_tools/judge/sentences/language.py", "read_text"): "the project's own sentences",
    ("host_tools/sight/recorded.py", "read_text"): "lines of bytes that came through the gate",
    ("host_tools/club/keeping.py", "open"): "archives that it writes, and reads in blocks by their list",
    ("host_tools/play/terminal.py", "fdopen"): "standard input, which is read through the gate",
}


def called(node: ast.Call) -> str:
    """The last name of what is called: `read_text` of `path.read_text()`."""
    return getattr(node.func, "attr", "") or getattr(node.func, "id", "")


def is_gate(node: ast.Call) -> bool:
    """Whether it is a call of the gate: `foreign.read_text(...)`."""
    return ast.unparse(node.func).startswith("foreign.")


def find_calls(source: str) -> list[tuple[int, str]]:
    """(line, name) of every call that reads or prints past the gate. `stdout.write` prints too."""
    found = []
    for node in walk(source, ast.Call):
        name = called(node)
        is_stream = name == "write" and ast.unparse(node.func) in ("sys.stdout.write", "sys.stderr.write")
        if (name in _READS | _PRINTS or is_stream) and not is_gate(node):
            found.append((node.lineno, name))
    return found


def check_foreign(path: str, source: str) -> list[Finding]:
    """A read or a print of the host's tools that does not go through the gate."""
    if not path.startswith("host_tools/") or path == GATE or path.startswith(INSIDE):
        return []
    return [
        Finding(path, line, f"{name}() past the gate: {GATE} reads foreign files and prints, or tests/tidy/foreign.py"
                            " has the reason")
        for line, name in find_calls(source)
        if (path, name) not in OWN
    ]


def find_idle(sources: dict[str, str]) -> list[tuple[str, str]]:
    """Rows of OWN that no call needs any more; `sources` has the text of each file by its name."""
    used = {(path, name) for path, source in sources.items() for _, name in find_calls(source)}
    return sorted(set(OWN) - used)
