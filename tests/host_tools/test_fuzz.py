"""The fuzzer itself: its weather comes and goes, it repeats itself, and it finds what was planted."""

import random

import pytest

from boards import virtual
from cardtable.engine.event import NO_CARD, OK_KEY, PAUSE, Event, find_verb, pack, said_by
from cardtable.games import bailiff, cals_bs, durak
from cardtable.play import clock
from cardtable.play.seats import Seat
from cardtable.record.journal import Journal
from host_tools.virtual.chips.iso14443a import Tag
from host_tools.cli import RIGHT, UNUSABLE, WRONG, run as run_command
from host_tools.lab.fuzz import run
from host_tools.lab.fuzz.player import Player, Wrong
from host_tools.lab.fuzz.storm import KINDS, LASTS_US, SECOND, Storm
from host_tools.virtual.world import World
from tests.host_tools.at_table import GREEN, AtTable

FOUND_WITHIN = 4  # games


# --- weather ----------------------------------------------------------------------------------------------------------


def broken(world):
    """All that a storm can have left behind."""
    readers = [(reader.chip.miso, reader.chip.loose_wire, reader.field.noise) for reader in world.readers]
    tags = [(len(reader.field.tags), [tag.contact for tag in reader.field.tags]) for reader in world.readers]
    levels = [world.buttons.level(index, world.now_us) for index in range(32)]
    return readers, tags, levels, world.buttons._broken_after, world.screen.powered


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_weather_comes_and_goes(kind, tmp_path):
    """While it lasts something is otherwise; afterwards nothing is."""
    game = tmp_path / "games" / "0001"
    game.mkdir(parents=True)
    world = World(virtual)
    world.screen.plug()
    storm = Storm(world, random.Random(1), [1, 2, 3], tmp_path, (kind,))
    tags = {place: Tag(bytes([4, 1, 2, 3, 4, 5, place])) for place in (1, 2, 3)}
    for place, tag in tags.items():
        world.put(place, tag)
    storm.lies = tags.get
    if kind == "power_cut":
        assert next(storm.power_cut(SECOND)) == SECOND and storm.is_cut  # whoever runs the device brings it back
        return
    before = broken(world), game.is_dir(), storm.bounces
    weather = getattr(storm, kind)(SECOND)
    assert next(weather) >= LASTS_US[0]
    assert (broken(world), game.is_dir(), storm.bounces) != before
    with pytest.raises(StopIteration):
        next(weather)
    assert (broken(world), game.is_dir(), storm.bounces) == before


# --- games ------------------------------------------------------------------------------------------------------------


def test_a_seed_is_the_same_game_each_time():
    """Else no failure could be played again."""
    one, two = run.play(7, acts=8), run.play(7, acts=8)
    events = [[line for line in played.record.split(b"\n") if line[:1].isdigit()] for played in (one, two)]
    assert events[0] == events[1] and len(events[0]) > 4 and one.weather == two.weather and not one.wrong


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", run.list_games())
def test_nothing_is_lost_and_nothing_is_wrong(name):
    """A short game of each kind in the storm; `cardtable fuzz` plays thousands."""
    played = run.play(3, acts=15, names=[name])
    assert played.wrong == "" and played.game.split()[0] == name and played.events >= 5


def test_a_record_whose_pieces_are_going_is_read_from_its_text(tmp_path):
    """Seeds 6146, 7068 and 7099: a look at the moment between two pieces. What is gone from the text is lost."""
    (tmp_path / "games" / "0001").mkdir(parents=True)
    text = tmp_path / "games" / "0001.rec"
    player = Player.__new__(Player)
    player.flash, player.texts, player.begins = tmp_path, [b"cardtable 1\n"], 0
    text.write_bytes(b"cardtable 1\ngame: durak simple\n")
    player.read()
    assert player.texts == [b"cardtable 1\n", b"game: durak simple\n"]
    (tmp_path / "games" / "0001").rmdir()
    text.write_bytes(b"cardtable 1\ngame: durak simple\nseats: A; B\n")
    player.read()  # H9: they are gone
    assert player.texts[2:] == [b"seats: A; B\n"]
    text.write_bytes(b"cardtable 1\n")
    with pytest.raises(Wrong, match="a line that was on flash is not there any more"):
        player.read()


def test_h9_a_record_that_is_put_away_between_two_looks_keeps_its_last_lines():
    """The result and its seal came with the very look at which the pieces were gone: no wrong seal."""
    played = run.play(770040, acts=100, names=["durak"])  # so many until its result
    assert played.wrong == "" and played.record.count(b"\n~ end ") == 1


def test_a_flash_that_is_full_before_there_is_a_record_or_after_it(tmp_path):
    storm = Storm(World(virtual), random.Random(1), [1], tmp_path, ("full_flash",))
    assert list(storm.full_flash(SECOND)) == []


def test_t13_a_reader_that_one_wrong_byte_has_made_deaf_hears_again():
    """Found by seed 31: TxSelReg at 0, and nothing drives the antenna; the chip answers as one with no card on it."""
    table = AtTable()

    def evening():
        yield SECOND
        table.world.readers[0].chip._registers[0x16] = 0
        table.put(1, "6S")
        yield from table.until(lambda: table.light(1) == GREEN)

    table.play(evening())
    assert table.events() == ["1 draw 6S"]


# --- planted bugs -----------------------------------------------------------------------------------------------------


def green_before_the_flush(monkeypatch):
    """Each line is on flash only when the next one comes."""
    keep = Journal.keep

    def late(self, line):
        line, self.late_line = getattr(self, "late_line", None), line
        if line is not None:
            keep(self, line)

    monkeypatch.setattr(Journal, "keep", late)


def clock_that_does_not_wrap(monkeypatch):
    """The ticks are taken for numbers."""

    def now(self):
        ticks_ms = clock.time.ticks_ms()
        self.plain_ms = getattr(self, "plain_ms", ticks_ms)
        return ticks_ms - self.plain_ms if ticks_ms >= self.plain_ms else ticks_ms

    monkeypatch.setattr(clock.Clock, "now", now)


def held_card_forgotten(monkeypatch):
    """A card that came while the game waited is not judged afterwards."""
    monkeypatch.setattr(Seat, "hold", lambda self, card, now_ms: None)


@pytest.mark.parametrize(
    ("plant", "kinds"),
    [
        (green_before_the_flush, ("lost event",)),
        (clock_that_does_not_wrap, ("wrong verdict", "lost event")),
        (held_card_forgotten, ("lost event",)),
    ],
)
def test_a_planted_bug_is_found(plant, kinds, monkeypatch):
    """Within a few games; if it were not, no number of games without a finding would mean anything."""
    plant(monkeypatch)
    found = next(
        (played for played in (run.play(seed, names=["durak"]) for seed in range(1, FOUND_WITHIN + 1)) if played.wrong),
        None,
    )
    assert found is not None and found.kind in kinds, found and found.wrong


def test_a_press_that_nobody_made_is_a_phantom():
    """A stuck button explains the lines of its own place, for a while; of seat 0 the table's own words and the players'
    answer (T4) alone are anybody's."""
    player = Player.__new__(Player)
    player.game, player.header = durak, type("Header", (), {"places": [1, 2, 3]})
    player.world = type("World", (), {"now_us": 3000 * SECOND})
    player.hands = type("Hands", (), {"pressed_us": {}, "laid_us": {}})
    player.storm = Storm(World(virtual), random.Random(1), [1, 2, 3], None, ("stuck_button",))

    def explain(seat, name, card=NO_CARD):
        player.event = Event(seat, find_verb(player.game, name), card, 0, 3_000_000)
        player.explain("a line")

    stuck = player.storm.stuck_button(SECOND)
    player.storm.pick = lambda: 2
    next(stuck)  # long ago
    for act in ((2, "done"), (1, "done"), (0, "lead")):
        with pytest.raises(Wrong, match="phantom event"):
            explain(*act)
    player.storm.world.now_us = player.world.now_us
    next(player.storm.stuck_button(SECOND))
    explain(2, "done")
    explain(0, "lead")
    for act in ((1, "done"), (0, "pause"), (0, "abort"), (0, "place", 4), (0, "draw", 4)):
        with pytest.raises(Wrong, match="phantom event"):
            explain(*act)
    player.game = cals_bs
    explain(0, "timeout")  # C10


def arbiter_by_itself(monkeypatch):
    """The table pauses the game when a seat is done, and goes on a moment later, though nobody has the key."""
    press = Seat.press

    def wrong(self, key, now_ms):
        said = press(self, key, now_ms)
        return said_by(0, pack(PAUSE)) if said and key == OK_KEY else said

    monkeypatch.setattr(Seat, "press", wrong)


def test_an_arbiter_who_is_not_there_is_found(monkeypatch):
    arbiter_by_itself(monkeypatch)
    found = [run.play(seed, (), acts=25, names=["durak"]) for seed in (1, 2)]
    assert any("but nobody is the arbiter" in played.wrong for played in found), [played.wrong for played in found]


def test_a_failure_becomes_a_record_that_says_what_it_takes(monkeypatch, tmp_path, capsys):
    """Without the weather that it does not need; the command counts it, and ends with 1."""
    green_before_the_flush(monkeypatch)
    arguments = ["fuzz", "--seed", "1", "--games", "1", "--game", "durak", "--keep", str(tmp_path)]
    assert run_command(arguments) == WRONG
    told = capsys.readouterr().out.splitlines()
    (path,) = tmp_path.iterdir()
    lines = path.read_text().splitlines()
    assert path.name == "fuzz-1.rec" and lines[0] == "cardtable 1" and told[0].endswith(str(path))
    begin = lines.index("") + 1
    assert lines[begin].startswith("; seed 1, ") and lines[begin].endswith(" acts, in: fine weather")
    assert "is green, and the record has no line for it" in lines[begin + 1]
    assert told[1].startswith("seeds 1-1: 1 games (durak 1) in ")
    assert told[-1].startswith("lost events 1, wrong verdicts 0")


def test_the_command_ends_with_nought_where_nothing_was_wrong(monkeypatch, tmp_path, capsys):
    """And with 2 where there is no such game."""
    monkeypatch.setattr(run, "ACTS", 5)
    monkeypatch.setattr(run, "play", lambda seed, names=None, play=run.play: play(seed, acts=5, names=names))
    assert run_command(["fuzz", "--seed", "5", "--games", "2", "--keep", str(tmp_path)]) == RIGHT
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("seeds 5-6: 2 games (") and told[1].startswith("10 acts of people, ")
    assert run_command(["fuzz", "--game", "whist"]) == UNUSABLE
    assert "there are bailiff" in capsys.readouterr().err


def test_t1_t6_games_of_every_mix_pass_from_their_records(tmp_path, capsys, monkeypatch):
    """`cardtable fuzz --rules`: each is judged again with every audit; one that does not pass is kept and named."""
    arguments = ["fuzz", "--rules", "--games", "8", "--seed", "3", "--keep", str(tmp_path)]
    assert run_command(arguments) == RIGHT
    told = capsys.readouterr().out
    assert told.startswith("seeds 3 to 4: 8 games, ") and " 0 games broken" in told and not list(tmp_path.iterdir())
    monkeypatch.setattr(bailiff, "audit", lambda state: 4)
    assert run_command(arguments) == WRONG
    assert {path.name for path in tmp_path.iterdir()} == {"bailiff-3.rec", "bailiff-4.rec"}
    assert "bailiff-3.rec:" in capsys.readouterr().out
    assert run_command([*arguments, "--server"]) == UNUSABLE
