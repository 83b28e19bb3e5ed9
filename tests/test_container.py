"""The Containerfile: what it copies, installs and starts is there. No engine is needed to say so."""

import json
import re
import tomllib

from packaging.specifiers import SpecifierSet

from host_tools.cli import run
from tests.conftest import ROOT
from tests.test_package import wheel_files

FILE = ROOT / "docs" / "service" / "Containerfile"


def read_lines():
    """(instruction, rest) of each line of the file, with its continuations."""
    text = re.sub(r"^#.*\n", "", FILE.read_text(encoding="utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def test_every_file_of_the_wheel_is_copied_to_where_it_lies(monkeypatch):
    copied = []
    for name, rest in read_lines():
        if name == "COPY":
            *sources, target = rest.split()
            assert all((ROOT / source).exists() for source in sources), rest
            assert target == "/src/" if len(sources) > 1 else target == f"/src/{sources[0]}", "the layout of the clone"
            copied += sources
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {str(path) for _, path in wheel_files(monkeypatch)} | {project["readme"], *project["license-files"]}
    needed |= {"setup.py", "pyproject.toml", "constraints.txt"}
    missing = [path for path in needed if not any(path == one or path.startswith(f"{one}/") for one in copied)]
    assert not missing, "these are in the wheel, and not in the container"


def test_what_it_installs_and_starts_is_there():
    lines = read_lines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for name, rest in lines:
        if name == "FROM":
            assert re.match(r"docker\.io/library/python:3\.\d+-slim", rest)
            assert re.search(r":([\d.]+)-", rest)[1] in SpecifierSet(project["requires-python"])
    extras = {extra for name, rest in lines if name == "RUN" for found in re.findall(r"\[([\w,]+)\]", rest)
              for extra in found.split(",")}
    assert extras == {"arena", "network", "service", "tournament"} <= set(project["optional-dependencies"])
    told = dict(lines)
    assert told["USER"].isdecimal() and int(told["USER"]) > 0 and f"--uid {told['USER']}" in told["RUN"]
    assert told["WORKDIR"] == told["VOLUME"] and f"CARDTABLE_DATABASE={told['VOLUME']}/" in told["ENV"]
    assert json.loads(told["ENTRYPOINT"]) == ["cardtable"] and run([*json.loads(told["CMD"]), "--help"]) == 0
    spoken = re.findall(r"cardtable ((?:play|bridge) .+)", FILE.read_text(encoding="utf-8"))
    assert len(spoken) == 2 and all(told["EXPOSE"] in words.split() for words in spoken), "the health is asked there"
    assert all(run([*words.split(), "--help"]) == 0 for words in spoken)
    port = json.loads(told["CMD"])[json.loads(told["CMD"]).index("--port") + 1]
    check = json.loads(told["HEALTHCHECK"].removeprefix("CMD "))
    assert told["EXPOSE"] == port and f"127.0.0.1:{port}/health" in check[2] and compile(check[2], "health", "exec")
