"""The rules of the house: what every file has, what every game brings, what the pages promise."""

import ast
import posixpath
import re

from host_tools.virtual import image
from tests.tidy.findings import Finding, walk

FUNCTION_LINES = 70
FIRST_SCREEN_LINES = 40
# Put together here so that this file does not hold what it looks for.
_MACHINE_PATH = re.compile(r"(?<![\w.~-])/(?:" + "|".join(["work", "root", "home", "tmp"]) + r")/")
_UNFINISHED = re.compile(r"\b(?:" + "|".join(["TO" + "DO", "FIX" + "ME"]) + r")\b")
_SKIPS = ["pytest.sk" + "ip", "mark.sk" + "ip", "importorsk" + "ip", "xf" + "ail"]
_LEFT_OUT = re.compile(r"\b(?:" + "|".join(_SKIPS) + r")")
_MAKE_TARGET = re.compile(r"(?:^\s*|[`$] ?)make ([a-z]+(?:-[a-z]+)*)", re.MULTILINE)
_PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|<img[^>]* src=\"([^\"]+)\"")
_LINK = re.compile(r"\]\(([^)\s#]+)(?:#[^)\s]*)?\)")
_PART = re.compile(r"\]\(([^)\s#]*)#([^)\s]+)\)")
_HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def check_docstring(path: str, source: str) -> list[Finding]:
    """A file opens with one sentence on its room; an empty `__init__.py` holds nothing to speak of."""
    if path.endswith("/__init__.py") and not source.strip():
        return []
    text = ast.get_docstring(walk(source, ast.Module)[0]) or ""
    first = text.split("\n\n")[0].strip()
    if not first:
        return [Finding(path, 1, "does not open with a sentence on its room")]
    if first[-1] not in ".:":
        return [Finding(path, 1, "opens with something that is no sentence: " + first)]
    return []


def check_function_length(path: str, source: str) -> list[Finding]:
    """No function is longer than a screen."""
    found = []
    for node in walk(source, ast.FunctionDef, ast.AsyncFunctionDef):
        lines = node.end_lineno - node.lineno + 1
        if lines > FUNCTION_LINES:
            text = f"{node.name} has {lines} lines, more than {FUNCTION_LINES}"
            found.append(Finding(path, node.lineno, text))
    return found


def check_way_up(path: str, source: str) -> list[Finding]:
    """No file of host_tools but project.py goes up from where it lies: a wheel has no clone above it."""
    if not path.startswith("host_tools/") or path == "host_tools/base/project.py":
        return []
    return [
        Finding(path, number, "goes up from where it lies: host_tools/base/project.py knows the way")
        for number, line in enumerate(source.splitlines(), 1)
        if "__file__" in line and re.search(r"parents\[|\.parent\.parent|\.\.", line)
    ]


def check_passing_files(path: str, source: str) -> list[Finding]:
    """What another program, or another part of this one, reads is closed before: Windows opens no file a second time
    that vanishes when it is closed."""
    return [
        Finding(path, node.lineno, "is a file that Windows opens once: a TemporaryDirectory holds files of any kind")
        for node in walk(source, ast.Call)
        if ast.unparse(node.func).endswith("NamedTemporaryFile") and "delete" not in [one.arg for one in node.keywords]
    ]


def check_sections(path: str, source: str) -> list[Finding]:
    """A line that decides what a device carries is spelt as host_tools/virtual/image.py reads it: a letter or a space
    more would ship the section, or leave it out."""
    if not path.startswith("firmware/"):
        return []
    return [
        Finding(path, number, "is nearly the line that begins a section: spell it as docs/contributing.md does")
        for number, line in enumerate(source.splitlines(), 1)
        if re.match(r"\s*#[\s-]*for (?:players and tests|set.?up alone)", line, re.IGNORECASE)
        and not line.startswith((image.PLAYERS_SECTION, image.SETUP_SECTION))
    ]


def check_reason_for_one_runtime(path: str, source: str) -> list[Finding]:
    """A test file that keeps away from an interpreter says why, on the line or just above it."""
    lines = source.splitlines()
    found = []
    for node in walk(source, ast.Module)[0].body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "RUNS_ON":
            above = lines[node.lineno - 2].strip() if node.lineno > 1 else ""
            if "#" not in lines[node.lineno - 1] and not above.startswith("#"):
                found.append(Finding(path, node.lineno, "RUNS_ON without a comment that gives the reason"))
    return found


def check_text(path: str, text: str) -> list[Finding]:
    """No path of somebody's machine, nothing unfinished, and no test that does not run."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if _MACHINE_PATH.search(line):
            found.append(Finding(path, number, "names a path of one machine: " + line.strip()))
        if _UNFINISHED.search(line):
            found.append(Finding(path, number, "is unfinished: " + line.strip()))
        if path.endswith(".py") and _LEFT_OUT.search(line):
            found.append(Finding(path, number, "leaves a test out: " + line.strip()))
    return found


def check_games(files: list[str]) -> list[Finding]:
    """Every game brings its page, tests, records and words; `files` are the names of all files."""
    found = []
    for path in files:
        match = re.fullmatch(r"firmware/cardtable/games/(\w+)\.py", path)
        if not match or match[1] == "__init__":
            continue
        name = match[1]
        wanted = {
            "rulebook page": rf"docs/rules/{name}\.md",
            "Russian rulebook page": rf"docs/rules/ru/{name}\.md",
            "tests": rf"tests/games/test_{name}\w*\.py",
            "records": rf"tests/records/{name.replace('_', '-')}/[^/]+\.rec",
            "English words": rf"firmware/cardtable/words/{name}\.en",
            "Russian words": rf"firmware/cardtable/words/{name}\.ru",
        }
        for what, pattern in wanted.items():
            if not any(re.fullmatch(pattern, file) for file in files):
                place = pattern.replace("\\", "").replace("[^/]+", "*").replace("w*.", "*.")
                found.append(Finding(path, 1, f"has no {what}: {place}"))
    return found


def check_make_targets(path: str, text: str, makefile: str) -> list[Finding]:
    """What a page tells people to type exists."""
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    return [
        Finding(path, text.count("\n", 0, match.start(1)) + 1, f"there is no `make {match[1]}`")
        for match in _MAKE_TARGET.finditer(text)
        if match[1] not in targets
    ]


def check_links(path: str, text: str, files: list[str]) -> list[Finding]:
    """What a page links to, or shows, is there."""
    text = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    found = []
    for match in _LINK.finditer(text):
        target = match[1]
        if re.match(r"[a-z]+:", target):
            continue
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
        if place not in files and not any(file.startswith(place + "/") for file in files):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Finding(path, line, f"links to {target}, and nothing is there"))
    return found


def check_parts(path: str, text: str, pages: dict[str, str]) -> list[Finding]:
    """A link into a page leads to a heading of it; `pages` are the texts of all."""
    text = _FENCED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    found = []
    for match in _PART.finditer(text):
        place = posixpath.normpath(posixpath.join(posixpath.dirname(path), match[1])) if match[1] else path
        if place in pages and match[2] not in name_headings(pages[place]):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Finding(path, line, f"links to {match[1]}#{match[2]}, and there is no such heading"))
    return found


def name_headings(text: str) -> set[str]:
    """The names by which links find the headings of a page, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in _HEADING.findall(text)]
    return {re.sub(r"[^\w -]", "", heading).replace(" ", "-") for heading in plain}


def check_first_screen(path: str, text: str, files: list[str]) -> list[Finding]:
    """The first screen of the README: the two commands, and a picture of the running table that exists."""
    first = "\n".join(text.splitlines()[:FIRST_SCREEN_LINES])
    found = []
    for command in ("make run", "make test"):
        if command not in first:
            found.append(Finding(path, 1, f"its first {FIRST_SCREEN_LINES} lines do not say `{command}`"))
    pictures = [one or other for one, other in _PICTURE.findall(first)]
    if not any(picture in files for picture in pictures):
        found.append(Finding(path, 1, f"its first {FIRST_SCREEN_LINES} lines show no picture that exists"))
    return found
