"""What a typed line means, without a table."""

from types import SimpleNamespace

import pytest
from cardtable.engine.deck import card_name
from cardtable.games import cals_bs, durak, malice

from host_tools.play.commands import Commands
from host_tools.play.seating import read_seats
from host_tools.play.typed import Told, Unclear, read_card, read_play, read_taps
from host_tools.play.wording import COMMANDS, Wording, read_wording
from host_tools.judge.sentences import Sentences

EN, RU = Wording("en"), Wording("ru")
BEAT = {"verb": "beat", "card": "9H", "target": "7H", "text": "Beat 7♥ with 9♥"}
BEAT_TOO = {"verb": "beat", "card": "TH", "target": "7H", "text": "Beat 7♥ with 10♥"}
TAKE = {"verb": "take", "card": None, "target": None, "text": "Take"}


def told(game=durak, moves=(BEAT, BEAT_TOO, TAKE), hand=("9H", "TH", "6C")) -> Told:
    return Told(game, Sentences(game), list(hand), ["7H", *hand], list(moves))


def test_a_game_is_named_as_people_name_it():
    """A reader of Russian typed "начать дурак", and read that this table has no such game."""
    for words, typed, line in (
        (RU, "Дурак подкидной", "durak throw-in"), (RU, "дурак переводной cheating=2", "durak transfer cheating=2"),
        (RU, "не верю", "cals-bs"), (RU, "durak transfer deck=52", "durak transfer deck=52"), (RU, "шашки", "шашки"),
        (EN, "durak podkidnoy", "durak throw-in"), (EN, "Cal's BS show=one", "cals-bs show=one"), (EN, "bs", "cals-bs"),
        (EN, "cals-bs", "cals-bs"), (EN, "Spite and Malice", "malice"),
    ):
        assert words.game_line(typed.split()) == line, typed


@pytest.mark.parametrize("typed, card", [
    ("6h", "6H"), ("10s", "TS"), ("ts", "TS"), ("Qd", "QD"), ("10♠", "TS"), ("в♦", "JD"), ("Дч", "QH"), ("тк", "AC"),
    ("ТТ", "AC"), ("кп", "KS"), ("10б", "TD"), ("xr", "XR"), ("★b", "XB"), ("★ч", "XB"), ("★к", "XR"), ("7s2", "7S"),
])
def test_a_card_is_named_in_letters_of_either_language(typed, card):
    assert read_card(typed) == card


@pytest.mark.parametrize("typed", ["", "1h", "11s", "h6", "6", "10", "sh", "h", "2", "22", "♠", "¹h", "a"])
def test_other_words_are_no_card(typed):
    assert read_card(typed) == ""


def test_every_card_that_the_table_says_can_be_typed_back():
    for language in ("en", "ru"):
        words = Sentences(language=language)
        for card in range(54):
            assert read_card(words.card(card)) == card_name(card), (language, words.card(card))


def test_numbers_and_names_are_taps_in_order():
    assert read_taps(["1", "6c", "2"], told()) == ["9H", "6C", "TH"]
    assert read_taps(["1", "take"], told()) == []


def test_a_number_that_the_hand_has_not_is_said():
    with pytest.raises(Unclear) as unclear:
        read_taps(["4"], told())
    assert unclear.value.facts == {"number": 4}


def test_of_two_copies_the_one_in_the_hand_is_meant():
    assert read_taps(["7s"], told(malice, (), ("7S2",))) == ["7S2"]


@pytest.mark.parametrize("typed", ["beat 7h 9h", "beat 9h 7h", "beat 7h with 9h", "beat 9h", "beat 1", "BEAT 9♥"])
def test_a_verb_with_its_cards_in_any_order_is_the_move(typed):
    assert read_play(typed.split(), told(), EN) == {"do": "play", "verb": "beat", "card": "9H", "target": "7H"}


@pytest.mark.parametrize("typed", ["беру", "взять", "берёт", "Берет.", "take"])
def test_verbs_in_russian(typed):
    assert read_play(typed.split(), told(), RU) == {"do": "play", "verb": "take"}


def test_too_few_words_ask_which():
    with pytest.raises(Unclear) as unclear:
        read_play(["beat"], told(), EN)
    assert unclear.value.key == "which" and "10♥" in str(unclear.value.facts["list"])


def test_what_would_not_stand_is_said_all_the_same():
    assert read_play(["done"], told(), EN) == {"do": "play", "verb": "done"}
    assert read_play("beat 6c 7h".split(), told(), EN) == {"do": "play", "verb": "beat", "card": "6C", "target": "7H"}


def test_a_number_is_a_card_of_the_hand_also_behind_a_verb_and_never_another_play():
    """Of two numbers that cannot stand the other way round could, and one alone was a pile where its card fits none."""
    side = {"verb": "side", "card": "9H", "target": 3, "text": "9♥ to side pile 3"}
    here = told(malice, [side])
    assert read_play(["side", "3", "1"], here, EN) == {"do": "play", "verb": "side", "card": "6C", "target": 1}
    with pytest.raises(Unclear):
        read_play(["side", "3"], here, EN)
    for typed in ("side 1", "side 1 3", "side 9h", "side 3 9h", "side 9h 3"):
        assert read_play(typed.split(), here, EN) == {"do": "play", "verb": "side", "card": "9H", "target": 3}, typed


def test_ranks_of_a_claim_are_ranks_and_not_places_in_a_list():
    moves = [{"verb": "claim", "card": None, "target": rank, "text": str(rank)} for rank in range(13)]
    for typed, rank in (("7", 5), ("sevens", 5), ("10", 8), ("q", 10), ("дамы", 10), ("к", 11)):
        found = read_play(["claim", typed], told(cals_bs, moves), RU)
        assert found == {"do": "play", "verb": "claim", "target": rank}, typed


def test_the_longest_name_of_a_verb_counts():
    assert read_play(["all", "fours"], told(cals_bs, ()), EN) == {"do": "play", "verb": "fours"}
    with pytest.raises(Unclear):
        read_play(["side"], told(malice, ()), EN)


@pytest.mark.parametrize("wording, line", [(EN, "malice with Anna,Olga"), (RU, "malice с Анна,Ольга")])
def test_a_game_is_given_up_by_the_same_line_twice_in_a_row(wording, line):
    """The line of an hour ago gave it up at once."""
    acts, said = [], []
    terminal = SimpleNamespace(
        wording=wording, table=SimpleNamespace(language=wording.language), call=lambda work: True, say=said.append,
        act=acts.append, stir=lambda: None, forget=lambda: None, look=lambda: None, tell_hand=lambda now: None)
    commands = Commands(terminal)
    for typed in (f"start {line}", "hand", f"start {line}", "", f"start {line}"):
        commands.take(typed.split())
    assert not acts and said == [wording.say("start.again")] * 3
    commands.take(f"start {line}".split())
    assert [one["game"] for one in acts] == ["malice"]


@pytest.mark.parametrize("wording, said", [
    (EN, "That cannot be done: no game chess on this table."),
    (RU, "Так нельзя: за этим столом нет игры chess."),
])
def test_a_page_of_no_game_is_refused_in_the_language_of_the_table(wording, said):
    heard = []
    table = SimpleNamespace(language=wording.language, header=None)
    Commands(SimpleNamespace(wording=wording, table=table, say=heard.append)).page(["chess"])
    assert heard == [said]


def test_why_a_game_cannot_have_these_players_is_said_in_the_language_of_the_table():
    said = []
    commands = Commands(SimpleNamespace(wording=RU, table=SimpleNamespace(language="ru"), say=said.append))
    commands.take("начать durak с Анна".split())
    assert said == ["Так нельзя: за столом от 2 до 7 мест, а не 1."]


def test_cards_may_be_typed_with_commas():
    taps = []
    now = SimpleNamespace(told=lambda hand: told(), is_played=True)
    terminal = SimpleNamespace(wording=EN, look=lambda: now, hand=["9H", "TH", "6C"],
                               act=lambda act: taps.append(act["card"]) or True)
    Commands(terminal).take(["9h,", "2,", "6c."])
    assert taps == ["9H", "TH", "6C"]


def test_virtual_players_and_free_seats_are_named_in_the_language_of_the_table():
    """`бот` was a person at this terminal."""
    for language, typed in (("en", "Anna,bot,open"), ("ru", "Anna,бот,никто"), ("ru", "Anna,Bot,open")):
        assert [who for _, who in read_seats(typed, language)] == ["here", "bot:beginner", "open"], typed
    assert read_seats("Anna,бот:strong", "ru")[1][1] == "bot:search"


def test_both_languages_have_the_same_sentences_with_the_same_facts():
    import string

    def facts(text: str) -> set:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, russian = read_wording("en"), read_wording("ru")
    theirs = {key for key in russian if not key.startswith("also.") and not key.endswith("#few")}
    assert theirs == set(english)
    for key in english:
        if not key.startswith(("type.", "filler", "help.")):
            assert facts(english[key]) == facts(russian[key]), key


def test_no_two_commands_are_typed_alike():
    seen: dict = {}
    for name in COMMANDS:
        for wording in (EN, RU):
            for word in wording._typed[f"type.{name}"]:
                assert seen.setdefault(word, name) == name, word


def test_no_command_hides_a_verb_of_a_game():
    from cardtable.engine.event import OWN_VERB
    from cardtable.games import bailiff

    from host_tools.play.typed import labels

    for game in (durak, cals_bs, malice, bailiff):
        for verb in range(OWN_VERB, OWN_VERB + len(game.VERBS)):
            for wording in (EN, RU):
                for label in labels(told(game), verb, wording):
                    assert not wording.means(label.split()[0]), label


def test_a_suit_is_named_by_letter_sign_or_word():
    from host_tools.play.typed import read_suit

    names = (("S spades ♠ п пики", 0), ("h Hearts червы", 1), ("♦ бубны", 2), ("clubs к т", 3), ("x 10", -1))
    for words, suit in names:
        assert [read_suit(word) for word in words.split()] == [suit] * len(words.split())
