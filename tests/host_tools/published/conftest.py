"""The modules of the pages in a folder, where node runs them beside stand-ins for what a browser has."""

import json
import subprocess
from pathlib import Path

import pytest

from host_tools.base.project import PAGE
from host_tools.look.published.build import OWN
from host_tools.play.web.page_words import list_made, make_module

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
        path.write_text('import {Settings, at, disk, tell, until} from "./stand_ins.js";\n' + script, encoding="utf-8")
        done = subprocess.run(["node", path], cwd=self.folder, capture_output=True, text=True, encoding="utf-8")
        assert not done.returncode, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="session")
def modules(tmp_path_factory):
    return Modules(tmp_path_factory.mktemp("modules"))


@pytest.fixture(scope="session")
def served(tmp_path_factory):
    """Those of a page that a server gives."""
    return Modules(tmp_path_factory.mktemp("served"), own=PAGE)
