"""House rules are chosen in words with four buttons, kept under a name, and carried by a tag."""

from cardtable.between.options import Options
from cardtable.engine.deck import STRANGER
from cardtable.engine.setup import TABLE_OPTIONS, is_for_seats, read_option, set_up
from cardtable.engine.state import CLOCKS, read_wide
from cardtable.table.lights import REFUSED
from cardtable.table.running import PLAY

from tests.app.fake_room import CALL, MENU, NO, OK, Files
from tests.app.walker import Walker
from tests.games.random_games import catalogue

RUNS_ON = "cpython"  # it walks some dozen times through all questions

def samples(row):
    """The values of an option; of a wide number its ends, what is round, and some that have to be typed."""
    name, _, values = row[:3]
    if isinstance(values, str):
        return values.split()
    low, high = values
    if high - low < 20:
        return [str(number) for number in range(low, high + 1)]
    return [str(number) for number in (low, low + 1, 7, 10, 60, 123, 180, high - 1, high) if low <= number <= high]


def wanted(game, preset, name, value):
    """The answers that lead to this one: what it needs comes first. None if this preset excludes it."""
    options = Options("%s %s" % (game.NAME, preset), "en", 7)
    wants = {}
    for _ in range(4):
        for other, said in wants.items():
            options.choose(other, said)
        needed = options.blocks(name, value)
        if not needed:
            break
        if needed in ("preset", "seats"):
            return None
        wants[needed] = [row for row in game.NEEDS if row[1] == needed and name in row[0].replace("=", " ").split()][0][
            2].split()[0]
    if not options.is_asked(name):
        return None
    return {**wants, name: value}


def agree(game, preset, wants):
    """Whether these answers go together, whatever the order in which they are given."""
    options = Options("%s %s" % (game.NAME, preset), "en", 7)
    for name, value in wants.items():
        options.choose(name, value)
    return all(options.is_asked(name) and not options.blocks(name, value) for name, value in wants.items())


def every_value():
    """(game, preset, answers) until every value of every option was among the answers: as many to a walk as agree."""
    for game in catalogue():
        walks = []
        for row in game.OPTIONS + TABLE_OPTIONS:
            for value in [] if is_for_seats(row[2]) else samples(row):
                found = [(preset, wanted(game, preset, row[0], value)) for preset, _ in game.PRESETS]
                found = [(preset, wants) for preset, wants in found if wants]
                assert found, "no buttons lead to %s %s=%s" % (game.NAME, row[0], value)
                for preset, walk in walks:
                    for other, wants in found:
                        is_new = all(walk.get(name, said) == said for name, said in wants.items())
                        if other == preset and is_new and agree(game, preset, {**walk, **wants}):
                            walk.update(wants)
                            break
                    else:
                        continue
                    break
                else:
                    walks.append((found[0][0], dict(found[0][1])))
        for preset, wants in walks:
            yield game, preset, wants


def test_every_value_of_every_option_is_reached_by_buttons_and_stands_in_the_header():
    """And the engine takes the header: an impossible mix is never offered."""
    reached = set()
    for game, preset, wants in every_value():
        walker = Walker()
        walker.begin(game, preset)
        walker.set(wants)
        walker.choose(walker.says("L.once"))
        header = walker.play()
        assert walker.room.panel.wants == PLAY, (game.NAME, wants)
        state = set_up(game, header)
        assert read_option(game, state, "preset") == preset
        options = Options("%s %s" % (game.NAME, preset), "en", 7)
        for option, said in wants.items():
            assert read_option(game, state, option) == said, (header.game, option)
            assert (option + "=" + said in header.game) == (said != options.usual(option)), header.game
            reached.add((game.NAME, option, said))
    for game in catalogue():
        for row in game.OPTIONS + TABLE_OPTIONS:
            for value in [] if is_for_seats(row[2]) else samples(row):
                assert (game.NAME, row[0], value) in reached


def test_every_variant_and_every_game_begins_as_it_stands():
    """`As always` of a game without house rules is what its preset says."""
    for game in catalogue():
        for preset, _ in game.PRESETS:
            walker = Walker()
            options = Options("%s %s" % (game.NAME, preset), "en", 7)
            walker.press(MENU)
            walker.choose(options.words.find("title"))
            if len(game.PRESETS) > 1:
                walker.choose(options.answer("preset", preset))
            assert walker.question() == "Which rules?" and walker.room.row(6) == "by the book"
            walker.press(OK)
            header = walker.play()
            for_two = getattr(game, "FOR_TWO", "").split() if len(header.seats) == 2 else []
            assert header.game == [game.NAME] + ([preset] if len(game.PRESETS) > 1 else []) + for_two
            set_up(game, header)


def durak():
    return next(game for game in catalogue() if game.NAME == "durak")


def test_d8_what_does_not_apply_is_not_asked():
    """D8: without jokers in the deck nobody asks what they beat; in `simple` (D13) nobody throws in."""
    walker = Walker()
    walker.begin(durak(), "simple")
    asked = walker.walk.options.list_asked()
    assert "jokers" not in asked and "throwers" not in asked and "first_transfer" not in asked
    walker.choose("54 cards, with two jokers")
    assert "jokers" in walker.walk.options.list_asked()


def test_d42_an_answer_that_an_earlier_one_excludes_is_not_offered_and_says_why():
    """D42: hands do not move on in a game of teams."""
    walker = Walker()
    walker.begin(durak(), "throw-in")
    while walker.question() != "Do you play in teams?":
        walker.press(OK)
    walker.choose("two teams of two")
    while walker.question() != "Do hands move one seat on after each bout?":
        walker.press(OK)
    assert walker.walk.page.answers == [["no", "no", ""]]
    assert [walker.room.row(row) for row in (5, 6)] == ['Not "yes": two teams', "of two"]


def test_d2_three_teams_of_two_do_not_play_with_24_cards():
    """D2, D34: one is for four seats at most, the other for six: the later answer is not offered, and says why."""
    walker = Walker()
    walker.begin(durak(), "throw-in")
    walker.choose("24 cards, from the nine")
    while walker.question() != "Do you play in teams?":
        walker.press(OK)
    assert [value for _, value, _ in walker.walk.page.answers] == ["no", "2x2", "2x2-both"]
    assert "24 cards" in walker.room.row(5) + walker.room.row(6)


def test_m2_a_number_is_a_number_however_a_profile_writes_it():
    """M2: 26 cards in each pile are for two; with 026 the table offered four seats."""
    for value in ("26", "026"):
        options = Options("malice payoff=%s clock=000" % value, "en", 7)
        assert options.list_seats() == [2] and options.line() == "malice malice payoff=26"


def test_d34_teams_say_how_many_play():
    """D34: two teams of two are four; the next number is never offered, and a fifth cannot go on."""
    walker = Walker()
    walker.begin(durak(), "throw-in")
    walker.set({"teams": "2x2"})
    walker.press(OK)
    assert walker.room.row(3) == "seats 1 2 3 4 . . ."
    assert [walker.room.row(row) for row in (5, 6)] == ["players: 4", "others: OK sits down"]
    walker.press(MENU)
    assert walker.room.row(3) == "seats 1 2 3 4 . . ."
    walker.room.press(6, OK)
    walker.press(OK)
    assert walker.room.row(7) == "Who plays? MENU, OK"
    walker.room.press(6, OK)
    walker.press(OK, OK)
    assert walker.room.panel.wants == PLAY


def test_no_goes_back_to_an_answer_that_stands_elsewhere_now():
    """A number of one's own stands first, and is gone once a round one is chosen: the lobby fell over that."""
    files = Files()
    files.texts["profiles.txt"] = "ours: bailiff clock=26\n"
    walker = Walker(files=files)
    walker.press(MENU)
    walker.choose("ours")
    walker.choose(walker.says("L.change"))
    while walker.question() != "How long may a turn take?":
        walker.press(OK)
    assert walker.answer() == "26 seconds"
    for typed in ("30", "26"):
        walker.choose("another number")
        walker.type(typed)
        walker.press(NO)
        assert walker.answer() == "another number"
    walker.choose("10 seconds")
    walker.press(NO)
    assert walker.answer() == "10 seconds"


def test_no_goes_back_with_the_answer_that_was_given():
    """To the first question, and out of the lobby's questions."""
    walker = Walker()
    walker.begin(durak(), "transfer")
    walker.choose("52 cards, from the two")
    walker.press(NO)
    assert walker.answer() == "52 cards, from the two"
    walker.press(NO)
    assert walker.question() == "Which rules?" and walker.answer() == "change the rules"
    walker.press(NO, NO, NO)
    assert walker.room.row(7) == "OK: play  MENU: other"


def kept(files):
    return files.texts.get("profiles.txt", "").splitlines()


def keep(walker, wants, answer="yes, as House 1"):
    """Rules of transfer with these answers, kept."""
    walker.begin(durak(), "transfer")
    walker.set(wants)
    walker.choose(answer)


def test_rules_are_kept_and_offered_first_next_time():
    """House 1, then as always; the header names them, and the record says what they were."""
    walker = Walker()
    keep(walker, {"deck": "52", "throwers": "neighbours"})
    assert kept(walker.room.files) == ["House 1: durak transfer deck=52 throwers=neighbours"]
    header = walker.play()
    assert header.lines()[1:3] == ["profile: House 1", "game: durak transfer deck=52 throwers=neighbours"]
    again = Walker(files=walker.room.files)
    assert again.room.row(2) == "House 1" and again.room.row(0) == "Durak, transfer"
    assert again.room.row(5).startswith("52 cards, from the") and again.play
    again.press(MENU, MENU)
    assert again.answer() == "House 1" and again.room.row(5) == "Durak, transfer"
    again.press(NO)
    again.begin(durak(), "transfer")
    assert again.answer() == "52 cards, from the two", "what is usual at this table"


def test_rules_get_a_name_by_buttons_another_one_and_are_deleted():
    """The file keeps a person's comments, and the tag follows the name."""
    files = Files()
    files.texts = {"profiles.txt": "; ours\nold: bailiff\n", "tags.txt": "04000000000009 setup DACHA\n"}
    walker = Walker(files=files)
    walker.begin(durak(), "transfer")
    walker.set({"deck": "52"})
    walker.choose("yes, under a name")
    walker.type("DACHA")
    assert kept(files) == ["; ours", "old: bailiff", "DACHA: durak transfer deck=52"]
    walker = Walker(files=files)
    walker.press(MENU)
    walker.choose("DACHA")
    walker.choose("rename it")
    walker.type("D 2")
    assert kept(files)[2] == "D 2: durak transfer deck=52" and files.texts["tags.txt"] == "04000000000009 setup D 2\n"
    walker.choose("D 2")
    walker.choose("make it the standard")
    assert kept(files) == ["D 2: durak transfer deck=52", "; ours", "old: bailiff"]
    walker.choose("D 2")
    walker.choose("delete it")
    assert kept(files) == ["; ours", "old: bailiff"] and files.texts["tags.txt"] == ""


def test_a_tag_carries_house_rules():
    """A tag that means nothing yet: from then on it chooses them, at once and after the next start."""
    walker = Walker()
    keep(walker, {"deck": "52"})
    walker = Walker(files=walker.room.files)
    walker.press(MENU)
    walker.choose("House 1")
    walker.choose("put it on a tag")
    assert walker.question() == "Tap the tag for House 1"
    walker.room.tap(3, 7, 12)
    assert walker.room.row(5).startswith("That tag is in use")
    walker.room.tap(3, STRANGER, 12)
    assert walker.room.files.texts["tags.txt"] == "0400000000000C setup House 1\n"
    assert walker.room.parts.tags.setups[-1] == "House 1"


def test_sixteen_tags_carry_rules_and_one_more_is_told_so():
    """What the table could not read again stands on no flash; and a tag whose rules were deleted is free at once."""
    walker = Walker()
    keep(walker, {"deck": "52"})
    files = walker.room.files
    files.texts["tags.txt"] = "".join(["0500000000%04X setup House 1\n" % number for number in range(16)])
    before = files.texts["tags.txt"]
    walker = Walker(files=files)
    walker.room.parts.tags.forget_others()
    walker.room.parts.tags.load_others(before.splitlines())
    walker.press(MENU)
    walker.choose("House 1")
    walker.choose("put it on a tag")
    walker.room.tap(3, STRANGER, 77)
    assert walker.room.row(5).startswith("16 tags have rules") and walker.room.parts.lights.means[2] == REFUSED
    assert files.texts["tags.txt"] == before and len(walker.room.parts.tags) == 16
    walker.press(NO)
    walker.choose("delete it")
    assert files.texts["tags.txt"] == "" and not len(walker.room.parts.tags) and not walker.room.parts.tags.setups


def test_a_full_flash_is_said_and_nothing_is_kept():
    """T13: the rules can still be played once."""
    walker = Walker()
    walker.begin(durak(), "transfer")
    walker.set({"deck": "52"})

    def open_full(name, mode="r"):
        if mode != "r":
            raise OSError(28)
        return read(name, mode)

    walker.press(MENU)
    read, walker.room.files.open = walker.room.files.open, open_full
    walker.press(OK)
    assert walker.room.row(6) == "The memory is full" and walker.question() == "Keep these rules?"
    walker.choose("no, for this game alone")
    assert walker.play().game == ["durak", "transfer", "deck=52"]


def test_language_and_sound_are_asked_and_kept():
    """Each language says its own name; a table without a buzzer is not asked whether it beeps."""
    walker = Walker()
    walker.room.parts.sounds = walker.room.parts.lights.sounds = sounds = Silence()
    walker.press(MENU)
    walker.choose("this table: language, sound")
    walker.choose("Русский")
    assert walker.question() == "Подавать звуковые сигналы?"
    walker.choose("нет")
    assert walker.question() == "Во что играете?" and walker.room.parts.lights.sounds is None
    assert walker.room.files.texts == {"language.txt": "ru\n", "sound.txt": "no\n"}
    walker.choose("этот стол: язык, звук")
    walker.press(OK)
    walker.choose("да")
    assert walker.room.parts.lights.sounds is sounds


class Silence:
    """Sounds that nobody hears."""

    def follow(self, means, now_ms):
        pass


def test_c11_a_delay_belongs_to_the_player_and_follows_to_whatever_seat():
    """C11: asked once, after who plays; kept by the name of the player's token."""
    bs = next(game for game in catalogue() if game.NAME == "cals-bs")
    walker = Walker()
    walker.room.tap(2, 201)
    walker.begin(bs, "cals-bs")
    walker.set({"ask_seconds": "5"})
    walker.choose("no, for this game alone")
    walker.press(OK)
    assert walker.question() == "Who must wait before doubting, and how long?"
    walker.choose("Vera, 3.0 s")
    walker.choose("nobody")
    walker.press(OK)
    header = walker.room.panel.make_header()
    assert header.game[-1] == "handicap=2:3.0" and walker.room.files.texts["delays.txt"] == "Vera: handicap=3.0\n"
    set_up(bs, header)
    again = Walker(files=walker.room.files, header=header)
    again.room.tap(5, 201)
    again.room.press(4, MENU, OK)
    again.room.press(2, OK)
    again.room.press(4, OK, OK)
    header = again.room.panel.make_header()
    assert header.seats.index("Vera") == 2 and header.game[-1] == "handicap=3:3.0"
    assert "handicap" not in " ".join(Walker(files=walker.room.files).room.panel.make_header().game), "Durak has none"


def test_t8_a_turn_time_belongs_to_the_player_beside_the_wait():
    """T8, C11: both stand in one line of the player; it is asked where turns have a time, and said there alone."""
    bs = next(game for game in catalogue() if game.NAME == "cals-bs")
    walker = Walker()
    walker.room.tap(2, 201)
    walker.begin(bs, "cals-bs")
    walker.set({"clock": "30"})
    walker.choose("no, for this game alone")
    walker.press(OK)
    walker.choose("Vera, 3.0 s")
    walker.choose("nobody")
    assert walker.question() == "Who has a turn time of their own?"
    walker.choose("Vera, 90 s")
    walker.choose("nobody")
    header = walker.room.panel.make_header()
    assert header.game[-2:] == ["handicap=2:3.0", "own_clock=2:90"]
    assert walker.room.files.texts["delays.txt"] == "Vera: handicap=3.0 own_clock=90\n"
    state = set_up(bs, header)
    assert [read_wide(state.register, CLOCKS + 2 * seat) for seat in range(1, 8)] == [0, 90, 0, 0, 0, 0, 0]
    again = Walker(files=walker.room.files)
    again.room.tap(4, 201)
    assert "own_clock" not in " ".join(again.room.panel.make_header().game), "no clock runs"
    again.begin(durak(), "throw-in")
    again.set({"bank": "300"})
    again.choose("no, for this game alone")
    again.press(OK)
    again.choose("Vera: as the others")
    assert again.room.files.texts["delays.txt"] == "Vera: handicap=3.0\n"
    again.choose("nobody")
    assert again.room.row(7).startswith("Who deals?")


def test_b13_two_players_of_bailiff_have_a_limit():
    """B13: the header says it, so the record stands alone; a third player has none, and what was chosen stays."""
    bailiff = next(game for game in catalogue() if game.NAME == "bailiff")
    chosen = ["move_limit=60"]
    for wants, two, three in (({}, ["move_limit=100"], []), ({"move_limit": "60"}, chosen, chosen)):
        walker = Walker()
        walker.begin(bailiff, "bailiff")
        walker.set(wants)
        walker.choose(walker.says("L.once"))
        header = walker.play()
        assert header.game == ["bailiff"] + two and len(header.seats) == 2
        set_up(bailiff, header)
        again = Walker(header=header)
        again.room.panel.sit(3)
        assert again.room.panel.make_header().game == ["bailiff"] + three


def test_call_leaves_letters_and_rules_as_they_are():
    """CALL: the rest stays; an empty name is none."""
    walker = Walker()
    walker.begin(durak(), "throw-in")
    walker.press(CALL)
    assert walker.question() == "Keep these rules?"
    walker.choose("yes, under a name")
    walker.press(CALL)
    assert walker.question().startswith("Name?")
    walker.press(OK, OK, NO)
    assert walker.answer() == "AA"
