"""What goes to a visitor of the site first, and what follows."""

import json

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.look.published import first, first_games
from host_tools.look.published.first import LATER, sort_out


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """The first games open these files."""
    names = ["/program/host_tools/play/acts.py", "/program/firmware/cardtable/games/durak.py",
             "/program/shims/machine.py", "/lib/python314.zip/json/__init__.pyc", "/lib/python314.zip/_abc.pyc",
             "/lib/python314.zip/os.py", "/kept/game.rec"]
    monkeypatch.setattr(first, "_play", lambda *facts: (names, {"en": []}, (b"", b"")))
    return lambda library, program: sort_out(tmp_path, library, program, tmp_path)


def test_what_the_first_games_open_goes_first_and_the_rest_follows(opened):
    library = {"json/__init__.pyc": b"1", "json/tool.pyc": b"2", "_abc.pyc": b"3", "tarfile.pyc": b"4",
               "email/policy.pyc": b"5", "os.pyc": b"6"}
    pairs = {}
    for name in ("host_tools/play/acts", "host_tools/look/mine", "firmware/cardtable/games/durak"):
        folder, _, last = name.rpartition("/")
        pairs |= {f"{name}.py": b"", f"{folder}/__pycache__/{last}.cpython-314.pyc": b"compiled"}
    program = {**pairs, "firmware/cardtable/games/durak.py": b"source", "shims/machine.py": b"as it is",
               "host_tools/play/play.en.txt": b"words", "host_tools/minds/puzzles.txt": b"puzzles"}
    parts = opened(library, program)
    assert set(parts.library) == {"json/__init__.pyc", "_abc.pyc"}  # Python has `os` frozen within it
    assert parts.program.pop(LATER).decode().split() == [
        "cardtable.games.durak", "email.policy", "host_tools.look.mine", "json.tool", "os", "tarfile"]
    assert set(parts.program) == {"host_tools/play/acts.py", "host_tools/play/__pycache__/acts.cpython-314.pyc",
                                  "firmware/cardtable/games/durak.py", "shims/machine.py",
                                  "host_tools/play/play.en.txt",
                                  "firmware/cardtable/games/__pycache__/durak.cpython-314.pyc"}
    assert parts.program["firmware/cardtable/games/durak.py"] == b""
    assert parts.later["firmware/cardtable/games/durak.py"] == b"source"
    everything = {**{f"library/{name}": content for name, content in library.items()}, **program}
    found = {**{f"library/{name}": content for name, content in parts.library.items()}, **parts.program, **parts.later}
    assert found == everything  # nothing is lost


def test_what_was_cut_off_while_the_games_were_played_is_played_again(monkeypatch, tmp_path):
    """Its halves may be of another Python, and of another program than the list of files beside them."""
    work, ran = tmp_path / "work", []

    def run_node(script, home, work):
        ran.append(home.name)
        (work / "first.wasm").write_bytes(home.name.encode())
        if home.name == "cut":
            raise UnusableInput("no space")
        (work / "later.wasm").write_bytes(b"")
        (work / "told.json").write_text('{"files": [], "lobby": {}}')

    def play(name):
        return first._play(tmp_path / name, {}, {}, work)[2][0]

    monkeypatch.setattr(first, "run_node", run_node)
    assert play("python") == play("python") == b"python" and ran == ["python"]
    with pytest.raises(UnusableInput):
        play("cut")
    assert play("python") == b"python" and ran == ["python", "cut", "python"]


@pytest.mark.everything
def test_the_first_games_are_the_same_each_time_and_show_the_lobby():
    told = first_games.play_all()
    assert told == first_games.play_all()
    for language, messages in json.loads(told).items():
        assert language in list_languages()
        said = {message["type"]: message for message in messages}
        assert said["table"]["phase"] == "lobby" and len(said["choices"]["games"]) == 4
        assert said["welcome"]["role"] == "host" and not said["welcome"]["done"]
