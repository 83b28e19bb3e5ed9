"""Durak, transfer and the shown trump: D26 to D33, and what docs/rules/durak.md says about them in Details."""

from cardtable.engine.deck import card_number
from cardtable.engine.event import Event, unpack
from cardtable.engine.record import write_event
from tests.games.durak_table import deal

NOW = "transfer first_transfer=yes"
BLOCKED = NOW + " trump_blocks_transfer=yes"


def three(game: str, *hands, stock=0, trump: str = "9D"):
    """A table without stock whose first bout is open for transfers, unless `game` says otherwise."""
    return deal(game, *hands, trump=trump, stock=stock)


def test_d26_a_card_of_the_attacks_rank_hands_all_to_the_next_seat():
    """D26: the next seat becomes the defender; the former defender becomes the attacker. (durak:19-21, 70, 192, 260)"""
    table = three(NOW, "6S KS", "6H KH", "7S 7H 8S", "QS QC")
    table.talk("""
        1 attack 6S
        = waits 1 throw, 2 beat
        2 transfer 6H
        = lies attack1 6S
        = lies attack2 6H
        = waits 2 throw, 3 beat
        2 beat KH 6S ! D20
        1 attack KS ! D16 D14
        3 beat 7S 6S
        3 beat 7H 6H
        2 done
        4 done
        1 done
        = waits 3 open
    """)


def test_d26_it_may_be_transferred_again():
    """D26: it may be transferred again. (durak:19, 192)"""
    table = three(NOW, "6S KS", "6H KH", "6D 8S 8C", "QS QC JS")
    table.talk("""
        1 attack 6S / 2 transfer 6H / 3 transfer 6D / = waits 4 beat / 4 take
        = hand 4 6D 6H 6S JS QC QS
    """)


def test_d26_a_right_and_not_a_duty():
    """D26, D33: a defender who could transfer may beat or take. (durak:21)"""
    table = three(NOW, "6S KS", "6H 7S", "8S 8C")
    table.talk("1 attack 6S / = moves 2 beat 7S 6S, transfer 6H, take / 2 beat 7S 6S")
    table = three(NOW, "6S KS", "6H 7S", "8S 8C")
    table.talk("1 attack 6S / 2 take")


def test_d26_only_while_nothing_is_beaten():
    """D26: while nothing is beaten. (durak:19)"""
    table = three(NOW, "6S 6C 6D KS", "6H 7S 8C", "8S 8H 8D TS")
    table.talk("1 attack 6S / 1 attack 6C / 2 beat 7S 6S / 2 transfer 6H ! D26")


def test_d26_only_with_the_attacks_rank():
    """D26: a card of the attack's rank, any suit. (durak:70)"""
    table = three(NOW, "6S KS", "6H 7S 8D", "8S 8C")
    table.talk("""
        1 attack 6S / 2 transfer 7S ! D26 / 2 transfer 8D ! D26 / 2 transfer 6C ! T2
        2 transfer KS ! T2 / 2 transfer 6H
    """)


def test_d26_only_the_defender_and_before_take():
    """D26: the defender, with an attack on the table, before it has said take. (durak:21)"""
    table = three(NOW, "6S KS", "6H 7S", "6D 8C")
    table.talk("""
        2 transfer 6H ! D26
        1 attack 6S
        1 transfer KS ! D26
        3 transfer 6D ! D26
        2 take
        2 transfer 6H ! D26
    """)


def test_d26_without_the_option_there_is_no_transfer():
    """D26: only with transfer=yes; the verb is refused under its rule in every other game."""
    for game in ("throw-in", "simple", "japanese-spades", "transfer transfer=no"):
        three(game, "6S KS", "6H 7S", "6D 8C").talk("1 attack 6S / 2 transfer 6H ! D26 / 2 show 6H ! D30 D26")
    for game in ("throw-in transfer=yes", "simple transfer=yes", "japanese-spades transfer=yes"):
        three(game + " first_transfer=yes", "6S KS", "6H 7S", "6D 8C").talk("1 attack 6S / 2 transfer 6H")


def test_d26_transferred_cards_count_for_the_limit():
    """D26, D18, D19 (decided): attack cards like any; a transfer that would exceed the limit is refused under it."""
    hands = ("6S 6H 6D 6C 7C 7D KS", "7S 7H 8S 9S TS JS QC", "8H 9H TH JH QH KH 8C")
    game = NOW + " late_transfer=yes trump_blocks_transfer=no"
    for first_bout, more, rule in (("5", "", "D19"), ("6", "1 attack 7D", "D18")):
        table = three(game + " first_bout=" + first_bout, *hands)
        table.talk("1 attack 6S / 1 attack 6H / 1 attack 6D / 1 attack 6C / 2 beat 7S 6S / 1 attack 7C / " + more)
        table.talk("2 transfer 7H ! %s / 2 take" % rule)


def test_d26_with_two_seats_back_to_the_attacker():
    """D26 (decided): transfer with two seats is back to the attacker."""
    table = three(NOW, "6S 7H 7D 8D", "6H KH")
    table.talk("""
        1 attack 6S / 2 transfer 6H / = waits 1 beat, 2 throw / 1 beat 7H 6H / 2 attack KH ! D14
        1 beat 8D 6S / 2 done
    """)
    table.talk("= waits 1 open")


def test_d27_not_more_than_the_new_defender_holds():
    """D27: not more cards than the new defender holds. (durak:19, 73, 192)"""
    table = three(NOW, "6S 6C KS", "6H 7S 8S", "8C QS")
    table.talk("1 attack 6S / 1 attack 6C / 2 transfer 6H ! D27 / 2 take")
    table = three(NOW, "6S 6C KS", "6H 7S 8S", "8C QS TS")
    table.talk("1 attack 6S / 1 attack 6C / 2 transfer 6H / = waits 3 beat")


def test_d27_a_seat_that_is_out_is_skipped():
    """D26, D27 (decided): with the stock gone a seat without cards is out and skipped."""
    table = three(NOW, "6S KS", "6H 7S 8S", "", "QS QC JS")
    table.talk("1 attack 6S / 2 transfer 6H / = waits 2 throw, 4 beat")


def test_d27_nobody_left_but_the_defender():
    """D27 (decided): the others are out: refused."""
    table = three(NOW, "6S", "6H 7S")
    table.talk("1 attack 6S / 2 transfer 6H ! D27 / 2 take / = result fool 2")


def test_d27_with_stock_left_a_seat_without_cards_is_not_skipped():
    """D27 (decided): with stock left it is not out and holds no cards: refused."""
    table = three(NOW, "6S", "6H 7S", stock="AC AH")
    table.talk("1 attack 6S / 2 transfer 6H ! D27")


def test_d28_not_in_the_first_bout():
    """D28: first_transfer=no, the default. (durak:15, 72, 153, 192)"""
    for words in ("", " first_transfer=no"):
        table = three("transfer" + words, "6S 6D KS QS", "6H 7S 8S TS", "8C QH 6C KC")
        table.talk("""
            1 attack 6S / 2 transfer 6H ! D28 / 2 take / 1 done / 3 done / = waits 3 open / 3 attack 6C
            1 transfer 6D
        """)


def test_d28_the_first_bout_is_the_first_however_it_ends():
    """D19, D28 (decided): beaten or taken, after it transfers are open."""
    table = three("transfer", "6S 6C KS QS", "6H 7S 8S TS", "8C QH 6D KD")
    table.talk("""
        1 attack 6S / 2 transfer 6H ! D28 / 2 beat 7S 6S / 1 done / 3 done / 2 attack 6H / 3 transfer 6D
    """)


def test_d28_first_game_of_a_match_only():
    """D28: first-game: not in the first bout of a match's first game. (durak:260)"""
    hands = ("6S AS KS QS JS TS", "6H AH KH QH JH TH")
    table = deal("transfer first_transfer=first-game", *hands, trump="9D", first=2)
    table.talk("2 attack 6H / 1 transfer 6S")  # `first:` says that it is a later game
    table = deal("transfer first_transfer=first-game", *hands, trump="9D", first=0)
    table.talk("1 attack 6S / 2 transfer 6H ! D28")


def test_d28_yes():
    """D28: first_transfer=yes."""
    hands = ("6S AS KS QS JS TS", "6H AH KH QH JH TH")
    for first in (0, 1):
        deal("transfer first_transfer=yes", *hands, trump="9D", first=first).talk("""
            1 attack 6S / 2 transfer 6H
        """)


def test_d29_a_trump_on_the_table_bars_a_transfer():
    """D29: not while a trump lies on the table. (durak:74, 260)"""
    for game in (NOW, BLOCKED):
        table = three(game, "6S KS", "6D KH", "6H 7S 8S", "QS QC JS JC")
        table.talk("1 attack 6S / 2 transfer 6D / 3 transfer 6H ! D29 / 3 take")
        three(game, "6D KS", "6H KH", "7S 8S 9S").talk("1 attack 6D / 2 transfer 6H ! D29")


def test_d29_a_beating_trump_bars_it_too():
    """D29 (decided): any trump on the table blocks, attacking or beating."""
    table = three(BLOCKED + " late_transfer=yes", "6S 7C KS", "7D 7H KH", "QS QC JS JC")
    table.talk("1 attack 6S / 2 beat 7D 6S / 1 attack 7C / 2 transfer 7H ! D29")
    table = three(NOW + " trump_blocks_transfer=no late_transfer=yes", "6S 7C KS", "7D 7H KH", "QS QC JS JC")
    table.talk("1 attack 6S / 2 beat 7D 6S / 1 attack 7C / 2 transfer 7H")


def test_d29_by_agreement_it_does_not():
    """D29: no by agreement; the default with D30. (durak:74)"""
    for words in (" trump_blocks_transfer=no", " shown_trump=yes"):
        table = three(NOW + words, "6D KS", "6H KH", "7S 8S 9S")
        table.talk("1 attack 6D / 2 transfer 6H")
    table = three(NOW + " shown_trump=yes trump_blocks_transfer=yes", "6D KS", "6H KH", "7S 8S 9S")
    table.talk("1 attack 6D / 2 transfer 6H ! D29")


def test_d29_no_trump_no_bar():
    """D29, D10: where there is no trump nothing bars."""
    table = three("japanese-spades transfer=yes first_transfer=yes", "6S KS", "6H KH", "7S 8S 9S", trump="TS")
    table.talk("1 attack 6S / 2 transfer 6H")


SHOWN = NOW + " shown_trump=yes"


def test_d30_a_trump_may_be_shown_instead_of_laid():
    """D30: a trump of the attack's rank may be shown instead of laid. (durak:76, 194)"""
    table = three(SHOWN, "6S KS", "6D KH", "7S 8S 9S")
    table.talk("""
        1 attack 6S
        2 show KH ! D26 D30
        2 show 6D
        = hand 2 6D KH
        = lies attack1 6S
        = waits 2 throw, 3 beat
        3 beat 7S 6S
    """)


def test_d30_what_the_defender_may_do():
    """D30: showing is listed beside laying, for the trump alone."""
    table = three(SHOWN, "6S KS", "6D 6H KH", "7S 8S 9S")
    table.talk("1 attack 6S / = moves 2 take, beat 6D 6S, transfer 6D, transfer 6H, show 6D")


def test_d30_only_a_trump():
    """D30: another card of that rank must be laid."""
    three(SHOWN, "6S KS", "6H KH", "7S 8S 9S").talk("1 attack 6S / 2 show 6H ! D30 / 2 transfer 6H")
    table = three("japanese-spades " + SHOWN[9:] + " transfer=yes", "6S KS", "6H KH", "7S 8S 9S", trump="TS")
    table.talk("1 attack 6S / 2 show 6H ! D30")


def test_d30_once_a_bout_for_each_seat():
    """D30: once a bout for each seat, after that it must be laid. (durak:194)"""
    table = three(SHOWN, "6S 6H KS QS JS TS", "6D KH QH JH")
    table.talk("""
        1 attack 6S
        2 show 6D
        = waits 1 beat, 2 throw
        1 transfer 6H
        = waits 1 throw, 2 beat
        2 show 6D ! D30
        2 transfer 6D
        = waits 1 beat, 2 throw
        1 take
    """)


def test_d30_each_seat_has_its_own_right():
    """D30: once a bout for each seat: another may show in the same bout, the first may not again. (durak:194)"""
    table = three(NOW + " late_transfer=yes shown_trump=yes", "6S 8H 8C KC QC", "6D 7C 8D KH QH", "7S 7D 8S KS QS")
    table.talk("""
        1 attack 6S / 2 show 6D / 3 beat 7S 6S / 2 attack 7C / 3 show 7D
        = waits 1 beat, 3 throw
        1 beat 8C 7C / 3 attack 8S / 1 transfer 8H
        = waits 1 throw, 2 beat
    """)
    assert table.play("2 show 8D") == "D30.2"
    table.talk("2 transfer 8D / = waits 3 beat")


def test_d30_a_new_bout_a_new_right():
    """D30: once a bout. (durak:194)"""
    table = three(SHOWN, "6S KS QS", "6D QH TS AH")
    table.talk("""
        1 attack 6S
        2 show 6D
        1 take
        2 done
        2 attack TS
        1 beat QS TS
        2 done
        1 attack 6S
        2 show 6D
        = waits 1 beat
    """)


def test_d30_wherever_a_transfer_would_be_allowed():
    """D30 (decided): show is allowed wherever transfer of that card would be: D28, D29 and nothing beaten."""
    three("transfer shown_trump=yes", "6S KS", "6D KH", "7S 8S 9S").talk("1 attack 6S / 2 show 6D ! D28")
    table = three(SHOWN, "6S 6H KS", "6D 7S KH", "7C 8S 9S")
    table.talk("""
        2 show 6D ! D26 D30 / 1 attack 6S / 3 show 7C ! D26 D30 / 2 beat 7S 6S / 2 show 6D ! D26
        2 take / 2 show 6D ! D26
    """)


def test_d26_d30_the_prompt_names_all_that_the_defender_can_do():
    """D26, D30: beat, transfer where that is open, show a trump once a bout; from public facts alone."""
    for options, wait in (("transfer", "BEAT"), (NOW, "BEAT_OR_TRANSFER"), (SHOWN, "BEAT_TRANSFER_OR_SHOW")):
        table = three(options, "6S 6H KS", "6D KH QH", "6C 8S 9S TS JS")
        table.talk("1 attack 6S")
        assert table.waited()[0] == table.waited()[2] == getattr(table.game, "WAIT_" + wait), options
    for options, wait in ((BLOCKED, "BEAT"), (NOW + " trump_blocks_transfer=no", "BEAT_OR_TRANSFER")):
        barred = three(options, "6D KS", "6H KH", "6C 8S")
        barred.talk("1 attack 6D")
        assert barred.waited()[2] == getattr(table.game, "WAIT_" + wait), options
    table.talk("2 show 6D")
    assert table.waited()[3] == table.game.WAIT_BEAT_TRANSFER_OR_SHOW
    table.talk("3 transfer 6C / 1 transfer 6H")
    assert table.waited()[2] == table.game.WAIT_BEAT_OR_TRANSFER, "this seat has shown in this bout"


def test_d30_the_shown_card_counts_for_nothing():
    """D30 (decided): it stays in the hand and counts for neither D18 nor D27; it may be laid later."""
    table = three(SHOWN, "6S 6C KS", "6D 7S KH", "8S 9S")
    table.talk("1 attack 6S / 1 attack 6C / 2 transfer 6D ! D27 / 2 show 6D / = waits 3 beat")
    table = three(SHOWN, "6S 6C KS", "6D 7S KH", "8S")
    table.talk("1 attack 6S / 1 attack 6C / 2 show 6D ! D27")
    table = three(SHOWN, "6S KS", "6D KH", "8S 9S TS")
    table.talk("1 attack 6S / 2 show 6D / 2 attack 6D / = lies attack2 6D")


def test_d30_a_shown_trump_does_not_lie_on_the_table():
    """D29, D30 (decided): so it does not bar the next transfer."""
    table = three(SHOWN + " trump_blocks_transfer=yes", "6S KS", "6D KH", "6H 9S TS", "AS AC AH")
    table.talk("1 attack 6S / 2 show 6D / 3 transfer 6H / = waits 3 throw, 4 beat")


def test_d30_without_the_option():
    """D30: refused under its rule where it is off."""
    three(NOW, "6S KS", "6D KH", "8S 9S").talk("1 attack 6S / 2 show 6D ! D30 / 2 transfer 6D")


LATE = NOW + " late_transfer=yes"


def test_d31_the_last_card_thrown_in_may_be_transferred():
    """D31: after some cards are beaten and another is thrown in, with a card of its rank. (durak:220)"""
    table = three(LATE, "6S 7C KS", "7S 7H 6H", "TS TH JH", "QS QC JC")
    table.talk("""
        1 attack 6S
        2 beat 7S 6S
        2 transfer 7H ! D31
        1 attack 7C
        2 transfer 6H ! D31
        2 transfer 7H
        = waits 2 throw, 3 beat
        3 beat TH 7H
        3 take
        2 done
        4 done
        1 done
        = hand 3 6S 7C 7H 7S JH TH TS
    """)


def test_d31_beaten_pairs_do_not_count_for_d27():
    """D31: beaten pairs stay, do not count for D27, and go to the seat that takes. (durak:220)"""
    table = three(LATE, "6S 7C KS", "7S 7H 6H", "TS TH", "QS QC JC")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 attack 7C / 2 transfer 7H / 3 take / = hand 3 6S 7C 7H 7S TH TS
    """)
    table = three(LATE, "6S 7C KS", "7S 7H 6H", "TS", "QS QC JC")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7C / 2 transfer 7H ! D27")


def test_d31_all_unbeaten_cards_count_for_d27():
    """D31 (decided): D27 counts all unbeaten cards and the new one."""
    table = three(LATE, "6S 6C 7C KS", "7S 7H 8H 9H", "TS TH", "QS QC JC")
    table.talk("1 attack 6S / 1 attack 6C / 2 beat 7S 6S / 1 attack 7C / 2 transfer 7H ! D27")


def test_d31_the_last_card_must_be_unbeaten():
    """D31 (decided): laid after the first beat, and still unbeaten."""
    table = three(LATE, "6S 6C 7C KS", "7S 7H 8C 6H", "TS TH JS JH")
    table.talk("""
        1 attack 6S / 1 attack 6C / 2 beat 7S 6S / 2 transfer 6H ! D31 / 1 attack 7C / 2 beat 8C 7C
        2 transfer 7H ! D31
    """)


def test_d31_it_may_be_transferred_on():
    """D31: the transferred card is the last attack card: its rank transfers again. (durak:220)"""
    table = three(LATE, "6S 7C KS", "7S 7H 6H", "7D TH JH", "QS QC JC AC")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 attack 7C / 2 transfer 7H / 3 transfer 7D
        = waits 3 throw, 4 beat
    """)


def test_d31_a_trump_may_be_shown():
    """D30, D31 (decided): show is allowed wherever transfer of that card would be, so here too."""
    table = three(LATE + " shown_trump=yes", "6S 7C KS", "7S 7D 6H", "TS TH JH", "QS QC JC AC")
    table.talk("""
        1 attack 6S / 2 beat 7S 6S / 1 attack 7C / 2 show 7D / = hand 2 6H 7D / = waits 2 throw, 3 beat
    """)


def test_d31_without_the_option():
    """D31, D26: without late_transfer a beaten card ends the right. (durak:19)"""
    table = three(NOW, "6S 7C KS", "7S 7H 6H", "TS TH JH")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7C / 2 transfer 7H ! D26")


def test_d32_only_who_transferred_may_add():
    """D32: after a transfer the first attacker may not add, the one who transferred may. (durak:81)"""
    for hands in (("6S 6C KS", "6H 6D KH", "TS TH JH QH"), ("6S 6C KS", "6H 6D KH", "TS TH JH QH", "QS QC")):
        table = three(NOW + " throwers=attacker", *hands)
        table.talk("""
            1 attack 6S / 2 transfer 6H / 1 attack 6C ! D15 / = waits 2 throw, 3 beat / 2 attack 6D
            3 take
        """)


def test_d32_in_simple_nobody_adds_after_a_transfer():
    """D32, D13 (decided): in simple a transfer is an act of the defender: it closes the lead."""
    table = three("simple transfer=yes first_transfer=yes", "6S 6C KS", "6H 6D KH", "TS TH JH QH")
    table.talk("""
        1 attack 6S
        2 transfer 6H
        = waits 3 beat
        2 attack 6D ! D13
        1 attack 6C ! D13
        3 beat TS 6S
        3 beat TH 6H
        = waits 3 open
    """)


def test_d24_after_a_transfer_the_last_attacker_draws_first():
    """D24 after a transfer (decided): who is attacker when the bout ends draws first, the defender last."""
    table = deal(
        NOW, "6S KS QS JS TS 9S", "6H KH QH JH TH 9H", "7S 7H AD KD QD JD", trump="9D", stock="AC AH KC QC 9D"
    )
    table.talk("""
        1 attack 6S / 2 transfer 6H / 3 beat 7S 6S / 3 beat 7H 6H / 2 done / 1 done / = waits 2 draw
        2 draw AC
    """)
    table.talk("= waits 1 draw / 1 draw AH / = waits 3 draw / 3 draw KC / 3 draw QC / = waits 3 open")


def test_d33_a_defender_who_does_not_transfer_beats_or_takes():
    """D33: a defender who cannot or does not transfer beats or takes. (durak:192, 260)"""
    table = three(NOW, "6S KS", "6H KH", "7S 8S QC")
    table.talk("""
        1 attack 6S / 2 transfer 6H / = moves 3 beat 7S 6S, beat 8S 6S, take / 3 beat 7S 6S / 3 take
        2 done / 1 done
    """)
    table.talk("= hand 3 6H 6S 7S 8S QC")


def test_d26_the_new_attacker_throws_in_first():
    """D16, D26 (decided): a transfer clears every done and gives the turn to the attacker."""
    table = three(NOW, "6S KS", "6H 6D KH", "7S 8S QC TC", "6C AC")
    table.talk("""
        1 attack 6S / 1 done / 3 done / 4 done / 2 transfer 6H / = waits 2 throw, 3 beat / 2 done
        = waits 3 beat, 4 throw
    """)


def test_d26_a_transfer_with_the_last_card():
    """D26, D39: the attacker of the moment may be out of cards; the turn goes to the next with cards."""
    table = three(NOW, "6S KS", "6H", "7S 8S QC TC", "6C AC")
    table.talk("""
        1 attack 6S / 2 transfer 6H / = waits 3 beat, 4 throw / 3 take / 4 done / 1 done
        = waits 4 open
    """)


def test_d29_the_ace_of_trumps_bars_a_transfer_too():
    """D29: any trump, from the lowest to the ace; the next suit's lowest card is none."""
    for trump in ("6D", "TD", "AD"):
        table = three(BLOCKED, trump + " KS", "%sS 7H" % trump[0], "8S 8C 9C", trump="9D")
        table.talk("1 attack %s / 2 transfer %sS ! D29" % (trump, trump[0]))
    table = three(NOW + " deck=52", "2C KS", "2S 7H", "8S 8C 9C", trump="9D")
    table.talk("1 attack 2C / 2 transfer 2S")


def test_d26_what_a_tap_is_meant_as():
    """D26 to D31: a card of the attack's rank that beats nothing is meant as a transfer, and refused as one."""
    meant = {
        "transfer": "transfer 6H",
        NOW: "transfer 6H",
        NOW + " cheating=1": "beat 6H 6S",
        "throw-in": "beat 6H 6S",
    }
    for game in meant:
        table = three(game, "6S 7C KS", "6H 7S 7H", "8S 8C 9C")
        table.talk("1 attack 6S")
        assert first_meaning(table, 2, "6H") == meant[game], game
        assert first_meaning(table, 2, "7H") == "beat 7H 6S"
        table.talk("2 beat 7S 6S / 1 attack 7C")
        assert first_meaning(table, 2, "7H") == "beat 7H 7C"  # D26: something is beaten
    table = three(NOW + " late_transfer=yes", "6S 7C KS", "6H 7S 7H", "8S 8C 9C")
    table.talk("1 attack 6S / 2 beat 7S 6S / 1 attack 7C")
    assert first_meaning(table, 2, "7H") == "transfer 7H"
    assert first_meaning(table, 2, "6H") == "beat 6H 7C"
    table = three(NOW, "6S KS", "6D 7S", "8S 8C 9C")
    table.talk("1 attack 6S")
    assert first_meaning(table, 2, "6D") == "beat 6D 6S"  # a trump beats; MENU has the transfer


def test_d26_where_nothing_beats_a_tap_is_meant_as_a_transfer():
    """D7, D26: a card that answers nothing: of an ace of trumps the transfer is told, of a lower trump the beat."""
    said = {"AD": "transfer 7H", "KD": "beat 7H KD", "QD": "beat 7H QD"}
    for led in said:
        table = three(NOW + " trump_blocks_transfer=no", "QD KD AD", "7H 8H AS", "8S 8C 9C")
        table.talk("1 attack " + led)
        assert first_meaning(table, 2, "7H") == said[led], led
    table = three(NOW + " trump_blocks_transfer=yes", "QD KD AD", "7H 8H AS", "8S 8C 9C")
    table.talk("1 attack AD")
    assert first_meaning(table, 2, "7H") == "beat 7H AD"  # D29: nor can anything be transferred


def test_d26_what_else_can_beat_a_card_that_only_few_do():
    """D8, D10, D26: a joker, the queen of the Japanese game, and not the trump under the stock.."""
    jokers = NOW + " deck=54 trump_blocks_transfer=no"
    queens = "japanese-spades transfer=yes first_transfer=yes"
    for game, led, trump, stock, said in (
        (jokers, "XB", "9D", 0, "beat 7H XB"),
        (jokers, "AD", "9D", 0, "beat 7H AD"),  # XR is out of sight
        (queens, "QS", "TD", 0, "transfer 7H"),
        (queens, "AS", "TD", 0, "beat 7H AS"),
        (NOW + " trump_blocks_transfer=no", "KD", "AD", "TC AD", "transfer 7H"),
    ):
        own = led + (" QS 6C" if led == "AS" else " 6C")
        table = three(game, own, "7H 8H 9C", "8S 8C KC", trump=trump, stock=stock)
        table.talk("1 attack " + led)
        assert first_meaning(table, 2, "7H") == said, led


def test_d31_a_card_of_a_rank_that_transfers_now_is_meant_as_a_transfer_under_a_trump_too():
    """D29, D31: a trump on the table forbids the transfer; the rank that transfers stays, and the reason is D29."""
    hands = ("6S 7C KS", "7H 7D 8H", "8S 8C 9C")
    table = three(BLOCKED + " late_transfer=yes", *hands)
    table.talk("1 attack 6S / 2 beat 7D 6S / 1 attack 7C")
    assert first_meaning(table, 2, "7H") == "transfer 7H"
    table.talk("2 transfer 7H ! D29")
    table = three(NOW + " late_transfer=yes trump_blocks_transfer=no", *hands)
    table.talk("1 attack 6S / 2 beat 7D 6S / 1 attack 7C / 2 transfer 7H")


def test_d31_no_rank_transfers_until_a_card_came_after_the_first_beat():
    """D31, D7: of two cards led together one is beaten; the other's rank transfers nothing, and a tap is a beat."""
    table = three(LATE, "6S 6C KS", "6H 7S 8C", "8S 9H 9C")
    table.talk("1 attack 6S / 1 attack 6C")
    assert first_meaning(table, 2, "6H") == "transfer 6H"
    table.talk("2 beat 7S 6S")
    assert first_meaning(table, 2, "6H") == "beat 6H 6C"
    table.talk("2 beat 6H 6C ! D7")


def first_meaning(table, seat: int, name: str) -> str:
    """What the tap of that card is said as, where no meaning is legal."""
    options: list = []
    table.game.meanings(table.state, seat, card_number(name), options)
    return write_event(table.game, unpack(options[0], seat, 0, Event())).split(" ", 2)[2]
