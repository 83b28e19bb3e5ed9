"""Firmware, rulebook and record have their versions in one place; everything else that names one says the same."""

import re
import tomllib

from setuptools.config.expand import read_attr

from cardtable import version
from cardtable.engine import record
from tests.conftest import ROOT


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_project_has_the_version_of_the_firmware():
    """The package reads the firmware's file, and writes no number of its own."""
    told = tomllib.loads(read("pyproject.toml"))
    assert "version" not in told["project"] and told["project"]["dynamic"] == ["version"]
    named = told["tool"]["setuptools"]["dynamic"]["version"]["attr"]
    assert read_attr(named, root_dir=ROOT) == version.FIRMWARE


def test_the_changelog_is_at_the_same_versions():
    """The newest release has this version, its tag, and the editions that it came with."""
    pattern = (r"^## \[(\d.+?)\] - \d{4}-\d\d-\d\d\n\n"
               r"Tag `v(\S+)`, with edition (\d+) of the rulebook and format (\d+) of the record\.")
    newest = re.search(pattern, read("CHANGELOG.md"), re.MULTILINE)
    assert newest.groups() == (version.FIRMWARE, version.FIRMWARE, str(version.RULEBOOK), str(version.RECORD))
    assert read("CHANGELOG.md").count("## [Unreleased]") == 1


def test_the_rulebook_is_that_edition():
    assert f"\nEdition {version.RULEBOOK}. " in read("docs/rules/README.md")


def test_records_have_that_format():
    assert record.FORMAT == f"cardtable {version.RECORD}"
    assert read("docs/record.md").startswith(f"# The record of a game, format {version.RECORD}\n")


def test_all_of_them_in_a_line():
    described = version.describe()
    assert described == f"firmware {version.FIRMWARE}, rulebook {version.RULEBOOK}, record {version.RECORD}"
    assert len(f"rulebook {version.RULEBOOK}, record {version.RECORD}") <= 21, "a row of the screen"
