"""Firmware, rulebook and record have their versions in one place; everything else that names one says the same."""

import re
import tomllib

from cardtable import version
from cardtable.engine import record
from tests.conftest import ROOT


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_project_has_the_version_of_the_firmware():
    assert tomllib.loads(read("pyproject.toml"))["project"]["version"] == version.FIRMWARE


def test_the_changelog_is_at_the_same_versions():
    """What is not released yet says what it will be; a release bears its version in its heading."""
    newest = re.search(r"^## \[(.+?)\].*?\n(.*?)(?=^## |\Z)", read("CHANGELOG.md"), re.MULTILINE | re.DOTALL)
    said = re.search(r"Will be (\S+), with edition (\d+) of the rulebook and format (\d+) of the record\.", newest[2])
    if newest[1] == "Unreleased":
        assert said.groups() == (version.FIRMWARE, str(version.RULEBOOK), str(version.RECORD))
    else:
        assert newest[1] == version.FIRMWARE


def test_the_rulebook_is_that_edition():
    assert f"\nEdition {version.RULEBOOK}. " in read("docs/rules/README.md")


def test_records_have_that_format():
    assert record.FORMAT == f"cardtable {version.RECORD}"
    assert read("docs/record.md").startswith(f"# The record of a game, format {version.RECORD}\n")


def test_all_of_them_in_a_line():
    described = version.describe()
    assert described == f"firmware {version.FIRMWARE}, rulebook {version.RULEBOOK}, record {version.RECORD}"
    assert len(f"rulebook {version.RULEBOOK}, record {version.RECORD}") <= 21, "a row of the screen"
