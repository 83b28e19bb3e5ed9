"""The fakes of these tests have only what the real classes have, under the same names and with the same arguments."""

import ast

import pytest

from tests.conftest import ROOT

RUNS_ON = "cpython"  # It reads sources.

FIRMWARE = "firmware/cardtable/"
# Where the fake is, the class that it stands for, and the names by which a test steers or reads the fake.
FAKES = (
    ("fake_parts.py", "Readers", "table/readers.py", "Readers", "posts uids"),
    ("fake_parts.py", "Buttons", "drivers/buttons.py", "Buttons", "presses held_ms"),
    ("fake_journal.py", "Journal", "record/seal.py", "Sealed", "is_full lines kept prepared is_put_away"),
    ("fake_parts.py", "Strip", "drivers/lights.py", "Lights", ""),
    ("fake_parts.py", "Glass", "drivers/screen_ssd1306.py", "Screen", "rows"),
    ("test_seal.py", "Journal", "record/journal.py", "Journal", "text is_full"),
)


def read_class(path, name):
    """(public methods with the names of their arguments, public names that are stored under `self`)."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    body = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    functions = [node for node in body.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"]
    stored = {
        node.attr
        for node in ast.walk(body)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and ast.unparse(node.value) == "self"
    }
    return {node.name: [one.arg for one in node.args.args] for node in functions}, {n for n in stored if n[0] != "_"}


@pytest.mark.parametrize("file, fake, real_file, real, steers", FAKES)
def test_a_fake_has_what_its_real_class_has(file, fake, real_file, real, steers):
    methods, names = read_class("tests/app/" + file, fake)
    real_methods, real_names = read_class(FIRMWARE + real_file, real)
    assert methods and {name: real_methods.get(name) for name in methods} == methods
    assert names - set(steers.split()) <= real_names | set(real_methods)
