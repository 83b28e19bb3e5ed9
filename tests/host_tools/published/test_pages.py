"""The texts of the site: every link leads somewhere in it, each rule has an address, nothing comes from elsewhere."""

import hashlib
import json
import os
import re
import subprocess
import sys
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.judge.rulebook.book import read_rules
from host_tools.look.published import build, pages
from host_tools.look.published.flash import make_flash_pages
from host_tools.look.published.program import list_program
from host_tools.look.published.python_side import is_left_out, pack, zip_up
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def texts():
    made = {**pages.make_pages(), **make_flash_pages()}
    return {name: content.decode() for name, content in made.items() if name.endswith(".html")}


def test_each_rule_has_an_address_in_each_language(texts):
    for language in list_languages():
        listed = texts[f"rules/{language}/index.html"]
        for rule in read_rules(language).values():
            assert f'href="{rule.page}.html#{rule.name}"' in listed
            assert f'id="{rule.name}"' in texts[f"rules/{language}/{rule.page}.html"], (language, rule.name)


def test_no_name_of_a_place_stands_twice_on_a_page(texts):
    """What a page says of a rule further down leads to where the rule stands."""
    for name, text in texts.items():
        ids = re.findall(r'\sid="([^"]*)"', text)
        assert sorted(ids) == sorted({*ids}), name
    assert re.search(r'<li><a class="rule" href="#D8"', texts["rules/en/durak.html"])


def test_a_page_names_itself_in_each_language_and_its_switch_leads_to_the_others(texts):
    for name in ("index.html", "ru.html", "bring.html", "flash/ru.html", "rules/index.html", "rules/en/durak.html"):
        listed = dict(re.findall(r'<link rel="alternate" hreflang="(\w+)" href="([^"]+)">', texts[name]))
        own = re.search('<html lang="(.+?)">', texts[name])[1]
        switch = re.search(r'hreflang="(\w+)" lang="(\w+)">', texts[name].partition("<nav>")[2].partition("</nav>")[0])
        assert set(listed) == set(list_languages()) and own != switch[1] == switch[2] and switch[1] in listed
        assert ("language.js" in texts[name]) == (name in ("index.html", "bring.html", "rules/index.html"))


def test_a_page_in_one_language_leads_to_the_rulebook_of_its_reader(texts):
    assert '<a href="../rules/">' in texts["boards/index.html"] and '<a href="rules/ru/">' in texts["ru.html"]


def test_the_first_door_of_the_readme_leads_to_the_address_of_the_site(tmp_path):
    readme = tmp_path / "README.md"
    before = (ROOT / "README.md").read_text(encoding="utf-8")
    readme.write_text(before, encoding="utf-8")
    for address in ("https://example.org/cards/", "http://localhost:8000"):
        build.open_door(address, readme)
        told = readme.read_text(encoding="utf-8")
        door = next(line for line in told.splitlines() if line.startswith("- **Play now**"))
        assert f"]({address})" in door
        changed = [line for line in told.splitlines() if line not in before.splitlines()]
        assert changed == [door]
    for wrong in ("example.org", "https://a.b/)](x", "javascript:1", "https://a b", ""):
        with pytest.raises(UnusableInput, match="is no address"):
            build.open_door(wrong, readme)
    assert readme.read_text(encoding="utf-8") == told
    readme.write_text("# Another readme\n", encoding="utf-8")
    with pytest.raises(UnusableInput, match="has no link"):
        build.open_door("https://example.org", readme)


def test_every_link_leads_to_a_file_of_the_site(texts):
    files = {*pages.make_pages(), *make_flash_pages(), *build.own_files(), "flash/licences.txt"}
    for name, text in texts.items():
        for address in re.findall(r'(?:href|src)="([^"]+)"', text):
            path, _, fragment = address.partition("#")
            path = path.partition("?")[0]
            if re.match("[a-z]+:", address):
                assert address.startswith("https:"), (name, address)
                continue
            parts = name.split("/")[:-1]
            for part in path.split("/") if path else [name.split("/")[-1]]:
                parts = parts[:-1] if part == ".." else [*parts, part]
            target = "/".join(parts)
            target += "index.html" if target.endswith("/") or not target else ""
            assert target in files, (name, address)
            if fragment and target in texts:
                assert f'id="{fragment}"' in texts[target], (name, address)


def test_each_page_has_the_policy_and_no_script_in_it_but_the_tables_first(texts):
    """That one's hash stands in the policy: test_site_parts.py."""
    pages_of_the_table = {name: text.decode() for name, text in build.page_files().items() if name.endswith(".html")}
    both = {**texts, **pages_of_the_table}
    begun = both["index.html"]
    own = re.search(r"<script>.*?</script>", begun, re.DOTALL)
    hashed = re.search(r" 'sha256-[\w+/]{43}='", begun)
    both["index.html"] = begun.replace(own[0], "", 1).replace(hashed[0], "", 1)
    for name, text in both.items():
        assert text.count(pages.POLICY) == 1 and "<style" not in text and not re.search(r"\son\w+=", text), name
        scripts = re.findall(r"<script\b([^>]*)>(.*?)</script>", text, re.DOTALL)
        assert len(scripts) == text.count("<script") and all(" src=" in one and not code for one, code in scripts), name
        assert not re.search(r'(?:src|href)="(?:https?:)?//(?!github)[^"]*\.(?:js|css|png|svg)', text), name


def test_the_service_worker_names_every_file_and_changes_with_each():
    files = {"a.html": b"one", "sw.js": (build.OWN / "sw.js").read_bytes()}
    first = build.name_files(files).decode()
    assert json.dumps({"a.html": hashlib.sha256(b"one").hexdigest()}, indent=0) in first
    assert first != build.name_files({**files, "a.html": b"two"}).decode()
    assert "const FILES = {};" not in first and '"none"' not in first


def test_the_program_holds_what_a_table_needs_and_no_more():
    files = list_program()
    for name in ("firmware/cardtable/games/durak.py", "as_it_is/firmware/main.py", "boards/virtual.py",
                 "docs/rules/ru/durak.md", "as_it_is/host_tools/virtual/shims/machine.py", "click/__init__.py",
                 "host_tools/judge/sentences/ru.txt", "host_tools/look/published/worker.py",
                 "host_tools/play/lessons/durak.rec", "openskill/__init__.py"):
        assert name in files
    assert not [name for name in files if name.startswith(("host_tools/club/", "host_tools/lab/"))]
    assert [name for name in files if name.startswith("tests/")] == ["tests/records/durak/throw-in-0001.rec"]
    assert is_left_out("tkinter/ttk.py") and is_left_out("encodings/big5.py") and is_left_out("sqlite3/__init__.py")
    assert not any(map(is_left_out, ("asyncio/base_events.py", "encodings/utf_8.py", "json/__init__.py", "random.py",
                                         "_ast_unparse.py")))


def test_make_site_installs_the_extra_where_any_package_of_it_lacks():
    lines = [Requirement(line) for line in metadata.requires("cardtable") if "extra ==" in line]
    extra = {canonicalize_name(one.name) for one in lines if one.marker.evaluate({"extra": "site"})}
    modules = {module for module, names in metadata.packages_distributions().items()
               if extra & {*map(canonicalize_name, names)} and not module.startswith("_")}
    line = re.search(r"-c 'import ([\w, ]+)'[^']*-e '\.\[site\]'", (ROOT / "Makefile").read_text(encoding="utf-8"))
    imported = set(line[1].split(", "))
    assert len(extra) > 4 and imported <= modules and len(imported) == len(extra)


def test_no_module_is_left_out_that_the_program_loads():
    """In a Python of its own: what a table, a lesson, a replay and a puzzle import of CPython's library."""
    script = """import sys
from host_tools.base import on_host
on_host.prepare()
import host_tools.look.published.worker, host_tools.look.lesson, host_tools.look.outside, host_tools.play.browser.real
import json, sys, tempfile
from host_tools.look.published.worker import Games
games = Games(tempfile.mkdtemp())
ask = lambda address: json.loads(games.answer(address))
names = json.loads(ask("puzzles/list.json")["text"])["puzzles"]
for name in ("puzzles/list.json", f"puzzles/{names[0]['name']}.json?language=ru", "drills.json?seed=1", "my-games.json",
             f"puzzles/{names[0]['name']}/answer.json?choice=0"):
    assert ask(name)["status"] == 200, name
ours = ("host_tools", "cardtable", "boards", "click")
print(*(name for name, module in sys.modules.items()
        if name.partition('.')[0] in ours or name.partition('.')[0] in sys.stdlib_module_names))"""
    said = subprocess.run([sys.executable, "-c", script], cwd=ROOT, env={**os.environ, "PYTHONPATH": "firmware"},
                          capture_output=True, text=True, check=True).stdout.split()
    spelled = {"encodings", "_pydecimal"}  # of which a few are kept, or the fast one stands in C
    missing = [name for name in said if is_left_out(name.replace(".", "/") + ".py")
               and name.partition(".")[0] not in spelled]
    assert len(said) > 100 and not missing
    files = {name.removeprefix("as_it_is/").removeprefix("firmware/") for name in list_program()}
    ours = [name.replace(".", "/") for name in said if name.partition(".")[0] in ("host_tools", "cardtable", "boards")]
    assert ours and not [name for name in ours if not {f"{name}.py", f"{name}/__init__.py"} & files]


def test_the_same_files_give_the_same_bytes():
    one, other = {"a": b"1", "b/c": b"2"}, {"b/c": b"2", "a": b"1"}
    assert pack(one) == pack(other) and zip_up(one) == zip_up(other)
