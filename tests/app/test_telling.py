"""How cards, events and results are written on the glass: for people, never in the record's spelling."""

from cardtable.engine.deck import STRANGER, card_number
from cardtable.engine.event import DRAW, LEAD, PAUSE, Event, find_verb
from cardtable.games import bailiff, cals_bs, durak, malice
from cardtable.table.words import Words, argument_text, card_text, cards_text, event_text, ranks_text, result_text

NAMES = ["Anna", "Boris", "Vera", "Gleb"]


def text_of(game, language: str, seat: int, verb, card: str = "", target=0, shows: int = 2) -> str:
    """The line of an event."""
    number = verb if isinstance(verb, int) else find_verb(game, verb)
    event = Event(seat, number, target=card_number(target) if isinstance(target, str) else target)
    if card:
        event.card = card_number(card)
    return event_text(Words(game.NAME, language), game, NAMES, event, shows)


def test_t6_cards_are_written_as_players_write_them():
    """The ten is 10, never T: on a Russian glass that is an ace. Jokers are drawn, both decks look alike."""
    for language, wanted in (("en", "6♠ 10♥ J♦ Q♣ K♠ A♥ ★b ★r"), ("ru", "6♠ 10♥ В♦ Д♣ К♠ Т♥ ★ч ★к")):
        words = Words("durak", language)
        for copy in ("", "2"):
            cards = [card_number(name + copy) for name in "6S TH JD QC KS AH XB XR".split()]
            assert cards_text(words, cards) == wanted
        assert card_text(words, STRANGER) == "?"


def test_ranks_in_a_line_that_needs_no_language():
    """Of the table's state, and in the words of a refusal."""
    assert ranks_text(Words("bailiff", "en"), "Tx2/5 12: 6 4") == "10x2/5 12: 6 4"
    assert ranks_text(Words("malice", "ru"), "TJQK 46: 26 26") == "10ВДК 46: 26 26"
    words = Words("durak", "ru")
    assert [argument_text(words, text) for text in ("QD", "T", "12", "hand2", "QQ")] == ["Д♦", "10", "12", "hand2", "?"]


def test_an_event_is_a_sentence():
    """Who, what, and of which card; a hidden card is not named, and a secret event has no line (T11)."""
    assert text_of(durak, "en", 2, "beat", "QC", "TC") == "2 beats 10♣ with Q♣"
    assert text_of(durak, "ru", 2, "beat", "QC", "TC") == "2 бьёт 10♣ картой Д♣"
    assert text_of(durak, "en", 1, "take") == "1 takes"
    assert text_of(durak, "en", 1, DRAW, "TC", shows=1) == "1 draws"
    assert text_of(durak, "en", 1, "cheat", shows=0) == ""
    assert text_of(durak, "en", 0, LEAD, target=1) == "Anna leads"
    assert text_of(durak, "ru", 0, LEAD, target=2) == "ходит Boris"
    assert text_of(durak, "en", 0, PAUSE) == "arbiter: pause"
    assert text_of(malice, "en", 1, "centre", "TS2", 3) == "1 10♠ to centre 3"
    assert text_of(cals_bs, "ru", 3, "claim", target=10) == "3 объявляет Д"
    assert text_of(bailiff, "ru", 3, "lay", "AS") == "3 кладёт Т♠"


def test_a_result_names_people():
    """The record says `fool 4`; the glass says who that is."""
    for game, result, english, russian in (
        (durak, "fool 4", "Gleb is the fool", "В дураках: Gleb"),
        (durak, "fool 2 epaulettes 3", "Boris is the fool; epaulettes: 3", "В дураках: Boris; погоны: 3"),
        (durak, "team 1+3 lost", "Anna, Vera have lost", "Проиграли: Anna, Vera"),
        (durak, "team 3 lost epaulettes 2", "Vera have lost; epaulettes: 2", "Проиграли: Vera; погоны: 2"),
        (durak, "draw", "A draw: nobody is the fool", "Ничья: дурака нет"),
        (durak, "aborted", "The arbiter ended the game", "Судья прервал игру"),
        (bailiff, "loser 2", "Boris has lost", "Проигрывает Boris"),
        (cals_bs, "winner 3 holds 1:12 2:7", "Vera has won", "Побеждает Vera"),
        (malice, "winner 1 owes 2 60", "Anna has won; Boris pays 60", "Побеждает Anna; Boris платит 60"),
        (malice, "draw", "A draw", "Ничья"),
    ):
        assert result_text(Words(game.NAME, "en"), NAMES, result) == english
        assert result_text(Words(game.NAME, "ru"), NAMES, result) == russian
