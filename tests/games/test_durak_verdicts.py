"""Durak, the words of each refusal: the right one of a rule's several ways, the first broken rule of many."""

from tests.games.durak_table import deal
from tests.games.table_talk import Table

PASSES = "transfer first_transfer=yes"
CHEATS = "throw-in cheating=1"


def at(game: str, *hands, before: str = "", stock=0, trump: str = "9D") -> Table:
    """A table without stock, and what has been said at it."""
    table = deal(game, *hands, trump=trump, stock=stock)
    table.talk(before)
    return table


def check(table: Table, *said):
    """`said` are pairs of a line and the key of the words with which it is refused."""
    for index in range(0, len(said), 2):
        came = table.play(said[index])
        assert came == said[index + 1], "%s: %s" % (said[index], came)


def dealt(game: str = "throw-in", seats: int = 2) -> Table:
    """All is dealt, nothing turned."""
    table = Table("durak " + game, seats, first=1)
    for _ in range(6):
        for seat in range(1, seats + 1):
            table.talk("%d draw %s" % (seat, table.cards("stock")[0]))
    return table


def test_d3_d4_d11_words_of_the_deal():
    """T3, D3, D4, D11: what is still missing before the first attack."""
    table = Table("durak throw-in", 2, first=1)
    check(table, "1 attack 6S", "T3", "2 turn 6S", "T3", "1 turn 6S", "D3.2", "1 done", "T3", "1 draw QQ", "T2")
    table.talk("1 draw 6S")
    check(table, "2 draw 6S", "T2.3", "1 draw 6S", "T2.5")
    table = dealt()
    check(table, "1 attack 6S", "D3.4", "2 done", "D3", "1 done", "D3.4", "1 draw AC", "T3.1", "1 turn AC", "D3.2")
    check(table, "2 turn 6S", "T2.3")
    table.talk("2 turn AC")
    check(table, "2 turn AH", "D3.1", "1 turn AH", "D3.1", "1 draw AH", "D24.2")
    check(dealt(seats=6), "6 turn 6S", "D4", "5 turn 6S", "D3.2", "6 turn 8C", "D4")
    check(Table("durak japanese-diamonds deal=counted", 2), "1 attack 6S", "D5", "1 draw 6S", "T4.1", "0 lead 3", "T4")
    check(Table("durak japanese-diamonds", 2), "2 turn 6S", "D11.1", "1 turn 6S", "D11.1")


def test_d7_to_d11_words_of_beating():
    """D7, D8, D10, D11: why a card does not beat."""
    check(at("throw-in", "6S 6H", "7H 6C", before="1 attack 6S"), "2 beat 7H 6S", "D7", "2 beat 7H 6H", "D7.1")
    check(at("throw-in deck=54", "XB", "7H XR", before="1 attack XB"), "2 beat 7H XB", "D8.1", "2 beat XR XB", "D8.1")
    check(at("throw-in deck=54 jokers=colour", "6S", "XR", before="1 attack 6S"), "2 beat XR 6S", "D8")
    check(at("throw-in", "TD", "7D AS", before="1 attack TD"), "2 beat 7D TD", "D7.3", "2 beat AS TD", "D7.3")
    check(at("japanese-spades", "7H", "8D 6H", before="1 attack 7H", trump="9S"), "2 beat 8D 7H", "D7.4")
    check(at("japanese-spades", "7S", "8D 6S", before="1 attack 7S"), "2 beat 8D 7S", "D10", "2 beat 6S 7S", "D7.5")
    check(at("japanese-diamonds", "7S", "8D 6S", before="1 attack 7S"), "2 beat 8D 7S", "D11", "2 beat 6S 7S", "D7.5")


def test_d16_d7_words_for_a_defender_who_has_nothing_to_do():
    """D16, D7: OK or a card before the answer is due, with an answer due, and when all is beaten."""
    table = at("throw-in", "6S 6H KS", "7S 8S 9S", before="1 attack 6S")
    check(table, "2 done", "D16.4")
    table.talk("2 beat 7S 6S")
    check(table, "2 done", "D16.1", "2 beat 8S 6S", "D7.2")
    table.talk("1 attack 6H")
    check(table, "2 done", "D16.4", "2 beat 8S 6S", "D7.1")
    table.talk("2 take")
    check(table, "2 done", "D16.1", "2 beat 8S 6H", "D21.2")


def test_d12_d13_words_of_the_lead():
    """D12, D13: who opens, and what a lead may be."""
    hands = ("6S 6H 6D 7C", "7S 7H 8C 8H", "TS TH")
    check(at("throw-in", *hands), "2 attack 7S", "D12", "1 done", "D12.5", "3 done", "D12.1", "1 attack 7S", "T2.1")
    check(at("throw-in", *hands, before="1 attack 6S"), "2 attack 7S", "D12.4", "1 attack 7C", "D14")
    table = at("simple", *hands, before="1 attack 6S")
    check(table, "1 attack 7C", "D12.2", "3 attack TS", "D13.1", "1 done", "D13.2", "2 attack 7H", "D12.4")
    check(table, "2 done", "D13.3", "3 done", "D13.2")
    table.talk("1 attack 6H")
    check(table, "1 attack 6D", "D12.3", "1 attack 7C", "D12.2")
    table.talk("2 beat 7S 6S")
    check(table, "1 attack 6D", "D13", "1 attack 7C", "D13", "3 attack TS", "D13.1")
    check(at("simple lead=three", *hands, before="1 attack 6S"), "1 attack 7C", "D12.6")
    check(at("simple lead=three", *hands, before="1 attack 6S / 1 attack 6H / 1 attack 7C"), "1 attack 6D", "D12.7")
    table = at("simple cheating=1", *hands, before="1 attack 6S / 2 beat 7S 6S")
    check(table, "2 done", "D13.4", "3 done", "D13.4")  # D44: the attacker ends the bout


def test_d15_to_d19_words_of_throwing_in():
    """D15 to D19, D34: who may throw in, and how many."""
    hands = ("6S 6H 7H KH", "7S 9C JC QC", "7C KS", "TS TC")
    table = at("throw-in", *hands, before="1 attack 6S / 2 beat 7S 6S")
    check(table, "3 attack 7C", "D16", "3 done", "D16", "2 done", "D16.1", "1 attack KH", "D14")
    table = at("throw-in throw_order=free", *hands, before="1 attack 6S / 2 beat 7S 6S / 3 done")
    check(table, "3 done", "D16.2", "2 done", "D16.1", "3 attack KS", "D14", "4 attack 7C", "T2.1")
    table = at("throw-in throw_order=free", "6S", "7S 8S", "7C KS", before="1 attack 6S")
    check(table, "1 done", "D16.3")
    table = at("throw-in throwers=attacker", *hands, before="1 attack 6S")
    check(table, "3 attack 7C", "D15", "3 done", "D16.5")
    check(at("throw-in teams=2x2", *hands, before="1 attack 6S"), "4 attack TS", "D34", "4 done", "D16.5")
    table = at("throw-in", "6S 6H 6D", "7S 8S", before="1 attack 6S / 1 attack 6H")
    check(table, "1 attack 6D", "D17")
    before = "1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7C 6C / 1 attack 7S"
    many = ("6S 6H 6D 6C 7S 7H 7D", "7C 8C 8S 9H JH QH KH TH")
    check(at("throw-in", *many, before=before), "1 attack 7H", "D19", "1 attack 7D", "D19")
    check(at("throw-in first_bout=strict", *many, before=before), "1 attack 7H", "D19.1")
    check(at("throw-in first_bout=6", *many, before=before + " / 1 attack 7H"), "1 attack 7D", "D18")
    table = at(CHEATS, "9S", "TS", "TH JS", before="1 attack 9S / 2 beat TS 9S")
    check(table, "1 attack TH", "D16.6", "3 attack TH", "D17")  # D44: the attacker's done ends it, cards or none


def test_d20_d21_words_of_the_defence():
    """D20, D21: who beats and takes, and when."""
    table = at("throw-in", "6S 6H", "7S 8H TC", "9S JS")
    check(table, "2 take", "D21.1", "1 take", "D21", "3 beat 9S 6S", "D20", "2 beat 7S 6S", "D7.2")
    table.talk("1 attack 6S / 2 take")
    check(table, "2 take", "D21.2", "3 take", "D21", "2 beat 7S 6S", "D21.2", "3 beat 9S 6S", "D20")


def test_d24_words_of_the_drawing():
    """D24, D3: whose draw it is."""
    table = at("throw-in", "6S KH", "7S 8H", before="1 attack 6S / 2 beat 7S 6S / 1 done", stock="AC 9D")
    check(
        table, "2 draw AC", "D24.1", "2 attack 8H", "D24.1", "1 draw 9D", "D3.3", "1 draw 8H", "T2.3",
        "1 draw KH", "T2.5", "2 take", "D24.1", "1 done", "D24", "1 attack KH", "D24", "2 turn AC", "D3.1",
    )
    hands = ("6S KH 7C 8C TC JC", "7S 8H", "9H TH JH QH KS AS")
    table = at("throw-in", *hands, before="1 attack 6S / 2 beat 7S 6S / 1 done / 3 done", stock="AC 9D")
    check(table, "3 draw AC", "D24.3", "3 done", "D24.3", "2 draw AC", "D24.1")


def test_d26_to_d31_words_of_a_transfer():
    """D26 to D31: why a transfer is refused."""
    hands = ("6S 6C KS", "6H 6D 7S 8C", "8S QS", "TS TH JH")
    check(at("throw-in", *hands, before="1 attack 6S"), "2 transfer 6H", "D26", "2 show 6D", "D30")
    table = at("transfer", *hands, before="1 attack 6S")
    check(table, "2 transfer 6H", "D28", "2 show 6D", "D30", "3 transfer QS", "D26.1")
    table = at(PASSES + " shown_trump=yes", *hands)
    check(table, "2 transfer 6H", "D26.4", "1 transfer 6S", "D26.1", "2 show 6D", "D26.4")
    table.talk("1 attack 6S")
    check(
        table, "1 transfer 6C", "D26.1", "2 transfer 7S", "D26.3", "2 transfer 6C", "T2.1", "2 show 6H", "D30.1",
        "2 show 7S", "D26.3",
    )
    table.talk("1 attack 6C")
    check(table, "2 transfer 6H", "D27")
    table.talk("2 beat 7S 6S")
    check(table, "2 transfer 6H", "D26.2", "2 show 6D", "D26.2")
    table.talk("2 take")
    check(table, "2 transfer 6H", "D26.5", "2 show 6D", "D26.5")
    table = at(PASSES + " shown_trump=yes", "6S 6H 7S 8S 9S", "6D 6C 8H TH JH", before="1 attack 6S / 2 show 6D")
    table.talk("1 transfer 6H")
    check(table, "2 show 6D", "D30.2")
    check(at(PASSES, "6D KS", "6H 7S", "8S QS TS", before="1 attack 6D"), "2 transfer 6H", "D29")
    check(at(PASSES, "6S", "6H 7S", before="1 attack 6S"), "2 transfer 6H", "D27.1")


def test_d31_words_of_a_late_transfer():
    """D31: which card may be transferred."""
    table = at(PASSES + " late_transfer=yes", "6S 6C 7C", "7S 7H 8C JC", "TS TH JS JH", before="1 attack 6S")
    table.talk("2 beat 7S 6S")
    check(table, "2 transfer 7H", "D31")
    table.talk("1 attack 7C")
    check(table, "2 transfer JC", "D31.1", "2 transfer 6H", "T2.1")
    table.talk("2 beat 8C 7C")
    check(table, "2 transfer 7H", "D31")


def test_d43_d44_words_of_cheating():
    """D43, D44: who may press and who may accuse."""
    table = at("throw-in", "9S KH", "7S 8H", "TS JS", before="1 attack 9S")
    check(table, "2 cheat", "D43", "1 cheat", "D43", "3 catch 9S", "D44", "2 catch KH", "D44")
    table = at(CHEATS, "9S KH", "7S 8H", "TS JS", before="1 attack 9S")
    check(table, "1 cheat", "D43.1", "1 catch 9S", "D44.1", "3 catch KH", "D44.3", "3 catch QQ", "T2")
    table.talk("2 cheat")
    check(table, "2 cheat", "D43.1")
    table.talk("2 beat 7S 9S")
    check(table, "2 cheat", "D43.1", "2 catch 9S", "D44.2", "2 catch 7S", "D44.1")
    table.talk("3 catch 7S")
    check(table, "2 cheat", "D43.2")
    check(at(CHEATS, "9S KH", "7S 8H", before="1 attack 9S / 2 take"), "2 cheat", "D43.1")


def test_d26_the_attack_of_the_defender_before_anything_lies():
    """D26.4: the seat that will defend has nothing to transfer yet."""
    table = at(PASSES, "6S 6C", "6H 7S", "8S QS")
    check(table, "2 transfer 6H", "D26.4", "3 transfer 8S", "D26.1")


def test_d49_d50_words_of_a_new_deal_and_of_a_swap():
    """D49, D50: why nothing is dealt again or swapped."""
    table = at("throw-in", "6S 6D", "7S 8D")
    check(table, "1 redeal", "D49", "1 swap 6D", "D50")
    table = at("throw-in start=redeal-and-six", "6S 6D", "7S 8D", trump="AC", stock="KC AC")
    check(table, "1 swap 6D", "D50.3", "1 swap 6C", "T2.1")
    table.talk("1 attack 6S")
    check(table, "1 redeal", "D49.2", "2 swap 6C", "D50.2")
    check(at("throw-in start=six", "6S 6D", "7S 8D"), "1 swap 6D", "D50.1")
    check(deal("throw-in start=redeal", "6S 6D 7D 8D TD JD", "7S 8S 9S TS JS QS", trump="9D"), "1 redeal", "D49.1")


def test_t6_every_words_key_is_the_answer_to_something():
    """T6: no refusal has words that nobody can ever read: each key of the words stands in one of these tests."""
    with open(__file__.rsplit("/", 1)[0] + "/test_durak_verdicts.py") as source:
        text = source.read()
    with open(__file__.rsplit("/", 3)[0] + "/firmware/cardtable/words/durak.en") as lines:
        for line in lines:
            key = line.split("=")[0]
            if key[0] == "D":
                assert '"%s"' % key in text, key


def test_d16_is_never_the_reason_in_simple():
    """D16, T2: in simple nobody throws in; an attacker without cards taps a card of others, or lays too late."""
    table = at("simple", "6S", "7S 8H 9C", before="1 attack 6S")
    check(table, "1 attack 6H", "T2.1", "1 attack 7S", "T2.1", "1 attack QQ", "T2")
    table = at("simple deck=54", "6S 6H", "7S 8H 9C 9H", before="1 attack 6S / 1 attack 6H / 2 beat 7S 6S")
    check(table, "1 attack 6D", "D13")


def test_d8_nothing_beats_a_joker():
    """D8: the words speak of the joker that lies there, not of the card; colour is told only of a joker that beats."""
    for game in ("throw-in deck=54", "throw-in deck=54 jokers=colour", "japanese-spades deck=54"):
        table = at(game, "XB", "7H XR AS 9C", before="1 attack XB", trump="9D")
        check(table, "2 beat 7H XB", "D8.1", "2 beat XR XB", "D8.1", "2 beat AS XB", "D8.1", "2 beat 9C XB", "D8.1")
    table = at("throw-in deck=54 jokers=colour", "6S", "XR XB", before="1 attack 6S")
    check(table, "2 beat XR 6S", "D8")
    table.talk("2 beat XB 6S")
