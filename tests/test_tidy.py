"""The rules of the house, asked of every file; tests/tidy/ tries each check on something bad."""

import pytest

from tests.tidy import asking, foreign, house, imports, language, looking, waiting
from tests.tidy.findings import Finding, project_files, read

FILES = project_files()
PYTHON = [name for name in FILES if name.endswith(".py")]
PAGES = [name for name in FILES if name.endswith(".md")]

CHECKS_OF_A_SOURCE = (
    imports.check_loads_by_name,
    imports.check_private_names,
    language.check_language,
    language.check_judges,
    house.check_docstring,
    house.check_function_length,
    house.check_way_up,
    house.check_passing_files,
    house.check_sections,
    house.check_reason_for_one_runtime,
    foreign.check_foreign,
    asking.check_asking,
    waiting.check_waiting,
    looking.check_looking,
)


def report(found: list[Finding]) -> None:
    """Fail with one line for each finding."""
    if found:
        pytest.fail("\n".join(map(str, found)), pytrace=False)


def siblings(name: str) -> tuple[str, ...]:
    """The modules in the folder of this file."""
    folder = name.rpartition("/")[0]
    return tuple(
        other.rpartition("/")[2].removesuffix(".py") for other in PYTHON if other.rpartition("/")[0] == folder
    )


def test_every_source():
    """All checks of a file one after the other: what takes long is to parse it."""
    found = []
    for name in PYTHON:
        source = read(name)
        found += imports.check_imports(name, source, siblings(name))
        for check in CHECKS_OF_A_SOURCE:
            found += check(name, source)
    report(found)


def test_no_file_names_a_machine_or_is_unfinished():
    report([finding for name in FILES for finding in house.check_text(name, read(name))])


def test_every_game_brings_its_page_tests_records_and_words():
    report(house.check_games(FILES))


def test_every_page_names_targets_that_exist():
    makefile = read("Makefile")
    report([finding for name in PAGES for finding in house.check_make_targets(name, read(name), makefile)])


def test_every_page_links_to_what_exists():
    report([finding for name in PAGES for finding in house.check_links(name, read(name), FILES)])


def test_every_link_into_a_page_leads_to_a_heading():
    pages = {name: read(name) for name in PAGES}
    report([finding for name, text in pages.items() for finding in house.check_parts(name, text, pages)])


def test_the_first_screen_of_the_readme():
    report(house.check_first_screen("README.md", read("README.md"), FILES))


def test_the_table_in_the_design_page_is_the_one_that_is_checked():
    written = imports.read_table(read("docs/design.md"))
    checked = {
        room.removeprefix("firmware/").removeprefix("cardtable/"): imports.names_in(allowed)
        for room, allowed in imports.ROOMS
        if not room.endswith("__init__.py")
    }
    assert written == checked


def test_the_wings_in_the_design_page_are_those_that_are_checked():
    assert imports.read_wings(read("docs/design.md")) == list(imports.WINGS)
    there = {name.split("/")[1] for name in PYTHON if name.startswith("host_tools/")}
    assert there == {name for name, _ in imports.WINGS} | {"__init__.py", "cli.py"}


def test_there_are_files_to_check():
    for room, _ in imports.ROOMS:
        assert any(name.startswith(room) for name in PYTHON), room
