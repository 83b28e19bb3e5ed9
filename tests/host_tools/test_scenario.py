"""Scenarios: every sentence does something, bad ones are refused, and what goes wrong is laid to the right one."""

import random
from types import SimpleNamespace

import pytest

import cardtable.table.readers as table_readers
from boards import virtual
from cardtable.table.readers import Readers
from host_tools.base.errors import UnusableInput
from host_tools.base.workers import mark
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run as run_command
from host_tools.lab.fuzz import run, scenario_run
from host_tools.lab.fuzz.player import Player, StormHands, Wrong
from host_tools.lab.fuzz.scenario import (
    HERE,
    HOUR_US,
    PASSING,
    STANDING,
    Scene,
    list_sentences,
    read_scenario,
    read_sentence,
)
from host_tools.lab.fuzz.storm import SECOND
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.virtual.hands import Hands
from host_tools.virtual.world import World

RUNS_ON = "cpython"  # the models, and the device inside this Python
FILLED = {"METRES": "4", "COUNT": "10,000", "KHZ": "750", "SEAT": "2", "MINUTE": "1", "EVERY": "1", "LASTS": "3"}


def fill(sentence):
    """With something in each gap."""
    for gap, word in FILLED.items():
        sentence = sentence.replace(gap, word)
    return sentence


def make_scene(tmp_path, *sentences):
    """Such a table, with a card at each of three seats."""
    (tmp_path / "games" / "0001").mkdir(parents=True, exist_ok=True)
    world = World(virtual)
    world.screen.plug()
    scene = Scene(world, random.Random(1), [1, 2, 3], tmp_path, [read_sentence(one) for one in sentences], 0)
    tags = {place: Tag(bytes([4, 1, 2, 3, 4, 5, place])) for place in (1, 2, 3)}
    for place, tag in tags.items():
        world.put(place, tag)
    scene.lies = tags.get
    return scene


def faults(scene):
    """All that a sentence can leave behind."""
    world = scene.world
    buses = [world.bus(name) for name in virtual.SPI]
    readers = [(one.chip.miso, one.chip.loose_wire, one.chip.repeats_address, one.field.noise, one.field.bursts,
                len(one.field.tags), [tag.contact for tag in one.field.tags]) for one in world.readers]
    wires = [(bus.clean_hz, bus.wrong and bus.wrong.rate) for bus in buses]
    metres = [world.i2c(name).metres for name in virtual.I2C]
    keys = [world.buttons.level(index, world.now_us) for index in range(32)], world.buttons._broken_after
    return readers, wires, metres, keys, world.screen.powered, scene.bounces, scene.is_cut, \
        (scene.flash / "games" / "0001").is_dir()


@pytest.mark.parametrize("sentence", list_sentences())
def test_every_sentence_does_something(sentence, tmp_path):
    """What stands is there at once; what passes comes in its minute, and again in the next hour, and goes."""
    still = faults(make_scene(tmp_path))
    scene = make_scene(tmp_path, fill(sentence))
    if sentence in STANDING:
        assert faults(scene) != still
        return
    assert faults(scene) == still
    for minute in (1, 2 if "EVERY" in sentence else 61):
        scene.is_cut = False
        scene.world.step(minute * 60 * SECOND - SECOND)
        assert faults(scene) == still
        scene.world.step(minute * 60 * SECOND + SECOND)
        assert faults(scene) != still and sum(scene.count.values()) == (1 if minute == 1 else 2)
        scene.world.step(minute * 60 * SECOND + 15 * SECOND)
        assert scene.is_cut or faults(scene) == still  # the one who runs the device brings the supply back


def test_a_sentence_about_a_seat_is_about_that_seat(tmp_path):
    scene = make_scene(tmp_path, "a weak tag at seat 2", "dead reader at seat 3 at minute 1")
    scene.world.step(61 * SECOND)
    assert [one.field.noise is not None for one in scene.world.readers[:3]] == [False, True, False]
    assert [one.chip.miso is not None for one in scene.world.readers[:3]] == [False, False, True]


def test_ten_scenarios_ship():
    """Each can be read; among them they use most of the sentences that there are."""
    files = sorted(HERE.glob("*.txt"))
    text = "".join(path.read_text() for path in files)
    assert len(files) == 10 and all(read_scenario(path) for path in files)
    assert not [name for name in PASSING if name not in text and name not in ("noise", "full flash")]
    assert [path.read_text()[0] for path in files] == ["#"] * 10  # it says what it is


@pytest.mark.parametrize(("line", "told"), [
    ("wires of 0 m", "0 is not from 1 to 20"),
    ("weak tag at seat 8", "8 is not from 1 to 7"),
    ("brown-out at minute 60", "60 is not from 0 to 59"),
    ("brown-out at seat 2 at minute 1", "is no sentence of a scenario; there are wires of METRES m"),
    ("one byte in 1,0 wrong", "is no sentence"),
    ("wires of \u0664 m", "is no sentence"),
    (f"one byte in {'1' * 5001} wrong", "is no sentence"),
    ("dead reader", "is no sentence"),
])
def test_a_bad_sentence_is_refused(line, told, tmp_path):
    (tmp_path / "bad.txt").write_text(f"# bad\n\n{line}\n")
    with pytest.raises(UnusableInput, match=r"bad\.txt, line 3: ") as refused:
        read_scenario(tmp_path / "bad.txt")
    assert told in str(refused.value)


def test_a_file_without_a_sentence_is_refused(tmp_path, capsys):
    (tmp_path / "empty.txt").write_text("# nothing\n")
    assert run_command(["fuzz", "--scenario", str(tmp_path / "empty.txt")]) == UNUSABLE
    assert "a scenario has 1 to 20 sentences, this has 0" in capsys.readouterr().err
    assert run_command(["fuzz", "--scenario", str(HERE / "fine.txt"), "--server"]) == UNUSABLE


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_scenario_is_played_and_told(tmp_path, capsys, monkeypatch):
    """By the command, with one short game: its figure, how long answers took, and 0 as the exit code."""
    monkeypatch.setattr(run, "play", lambda seed, play=run.play, **how: play(seed, acts=6, **how))
    arguments = ["fuzz", "--scenario", str(HERE / "cliff.txt"), "--hours", "0.001", "--keep", str(tmp_path)]
    assert run_command([*arguments, "--game", "durak", "--seed", "1"]) == RIGHT
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("cliff: 1 games, 6 acts, ") and told[1].startswith("tap to light: 0.")
    assert told[2] == "wrong events an hour: 0.00"


def test_a_scenario_is_played_as_slowly_as_the_board_file_says(monkeypatch):
    """Such a factor counted in the bench of taps alone."""
    factors = []
    monkeypatch.setattr(virtual, "COMPUTING", 3.0, raising=False)
    monkeypatch.setattr(run, "InProcessDevice", lambda *what, computing, **how: factors.append(computing.factor))
    run.play(1, names=["durak"], scenario=[read_sentence("hovering hands")])
    assert factors == [3.0]


def test_a_failure_is_laid_to_the_sentence_that_it_needs(tmp_path, monkeypatch):
    """The same game is played without each of them; 20 failures in a row end it."""
    culprits = {1: {"hovering hands"}, 2: set(), 3: {"hovering hands", "bouncing buttons"}}

    def play(seed, names, scenario, begun_us, least=0):
        fails = culprits.get(seed, {"bouncing buttons"}) <= {one.text for one in scenario}
        wrong = "phantom event" if fails else ""
        return run.Played(seed, "durak", 2, table_us=SECOND, wrong=wrong, kind=wrong)

    monkeypatch.setattr(run, "play", play)
    (tmp_path / "weak.txt").write_text("hovering hands\nwires of 4 m\nbouncing buttons\n")
    (figures,) = scenario_run.play_all([tmp_path / "weak.txt"], 1, 1.0, None, tmp_path, 1, None, lambda line: None)
    assert figures.gave_up and figures.games == 20 and figures.an_hour == 3600
    assert figures.wrong == {
        "hovering hands: phantom event": 1, "none of them: phantom event": 1,
        "several of them together: phantom event": 1, "bouncing buttons: phantom event": 17,
    }
    assert "  bouncing buttons: phantom event 17" in figures.lines()


def test_a_night_that_was_cut_off_goes_on_where_it_was(tmp_path, monkeypatch, capsys):
    """Every scenario of a folder, hour by hour: the figures are those of one run, and those so far were told. Other
    sentences are another run."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.txt").write_text("hovering hands\n")
    seeds, ends = [], [5]  # the fifth game is cut off

    def play(seed, names, scenario, begun_us, least=0):
        if len(seeds) == ends[0]:
            raise KeyboardInterrupt
        seeds.append(seed)
        return run.Played(seed, "durak", 2, acts=seed, table_us=HOUR_US // 2, answers_us=[110_000, 20_000 * seed])

    monkeypatch.setattr(run, "play", play)
    monkeypatch.setattr(mark, "EVERY_S", -1.0)
    command = ["fuzz", "--scenario", str(tmp_path), "--hours", "2", "--seed", "7", "--jobs", "1"]
    kept = tmp_path / "night"
    with pytest.raises(KeyboardInterrupt):
        scenario_run.play_all(sorted(tmp_path.glob("*.txt")), 7, 2.0, None, tmp_path, 1, kept, print)
    assert seeds == [7, 8, 7, 8, 1007] and kept.exists()
    assert [line for line in capsys.readouterr().out.splitlines() if "games" in line] == [
        f"{name}: 2 games, 15 acts, 0 events in 1.00 h of table time" for name in ("one", "two")]
    ends[0] = -1
    (tmp_path / "one.txt").write_text("bouncing buttons\n")
    assert run_command([*command, "--resume", str(kept)]) == UNUSABLE
    assert "the first 2 names are not those of that run" in capsys.readouterr().err
    (tmp_path / "one.txt").write_text("hovering hands\n")
    assert run_command([*command, "--resume", str(kept)]) == RIGHT
    assert seeds[5:] == [1007, 1008, 1007, 1008] and not kept.exists()
    told = capsys.readouterr().out
    assert told.splitlines()[0].startswith("one: 4 games, 2,030 acts, ")
    assert run_command(command) == RIGHT and capsys.readouterr().out == told
    assert run_command(["fuzz", "--resume", str(kept)]) == UNUSABLE


def test_a_card_that_taps_again_by_itself_is_a_phantom(tmp_path, capsys, monkeypatch):
    """Readers that let a card go at its first miss, under hands that hover: the fuzzer says so, and ends with 1."""
    monkeypatch.setattr(table_readers, "_MISSES_TO_FREE", 1)
    monkeypatch.setattr(Readers, "came_back", lambda self, index: None)
    start = Readers.__init__

    def impatient(self, *what):
        start(self, *what)
        self.calm_ms, self.away_ms = 0, [0] * len(self.chips)

    monkeypatch.setattr(Readers, "__init__", impatient)
    monkeypatch.setattr(run, "play", lambda seed, play=run.play, **how: play(seed, acts=12, **how))
    arguments = ["fuzz", "--scenario", str(HERE / "hovering-hands.txt"), "--hours", "0.001", "--keep", str(tmp_path)]
    assert run_command([*arguments, "--game", "bailiff", "--seed", "1"]) == WRONG
    told = capsys.readouterr().out
    assert "phantom event: " in told and "lay still at place" in told and "  hovering hands: phantom event 1" in told
    assert "hovering-hands, seed 1, bailiff" in told and (tmp_path / "hovering-hands-1.rec").exists()


def test_the_time_to_a_light_leaves_out_the_presses_that_chose(monkeypatch):
    """A second seat chose with buttons before it tapped; the first one afterwards: its light waited for a person."""
    monkeypatch.setattr(Hands, "wait_for_verdict", lambda self, place: iter(()))
    hands = StormHands.__new__(StormHands)
    hands.world = SimpleNamespace(now_us=5 * SECOND)
    hands.storm = SimpleNamespace(stops_us=0)
    hands._lying = {1: 7, 2: 8}
    hands.since_us = {(1, 7): 4 * SECOND, (2, 8): 4 * SECOND}
    hands.pressed_us = {1: 4 * SECOND, 2: 3 * SECOND}
    hands.was_asked, hands.answers_us = False, []
    for place in (1, 2):
        assert list(hands.wait_for_verdict(place)) == []
    assert hands.answers_us == [SECOND]


def test_a_second_line_needs_a_second_tap():
    """Unless something kept the reader from seeing the card: then it may have come again."""
    player = Player.__new__(Player)
    player.event = type("Tap", (), {"card": 3})
    player._taps, player._cut_us = run.Counter(), 0
    player.storm = type("Calm", (), {"disturbs_us": {1: 0}})
    player.hands = type("Hands", (), {"lays": run.Counter({(1, 3): 1}), "since_us": {(1, 3): 5 * SECOND}})
    player.explain_again("1 lay 9S", 1)
    with pytest.raises(Wrong, match="lay still at place 1"):
        player.explain_again("1 lay 9S", 1)
    player.storm.disturbs_us[1] = 6 * SECOND
    player.explain_again("1 lay 9S", 1)


@pytest.mark.everything
def test_h9_a_copy_is_taken_out_when_the_table_has_named_it(tmp_path):
    """And the game goes on a minute later."""
    sentences = [read_sentence("copy that repeats registers at seat 2")]
    played = run.play(1, acts=6, names=["durak"], scenario=sentences)
    assert not played.wrong and played.events >= 5 and 60 * SECOND < played.table_us < 120 * SECOND
