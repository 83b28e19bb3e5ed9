"""Durak, cheat tokens and accusations: D43 and D44, and what docs/rules/durak.md says about them in Details."""

from tests.games.durak_table import deal

TOKEN = "throw-in cheating=1"
MOVING = "transfer first_transfer=yes cheating=2"


def table_of(game: str, *hands, trump: str = "9D", stock=0):
    """A table without stock."""
    return deal(game, *hands, trump=trump, stock=stock)


def test_d43_any_card_beats_after_a_press():
    """D43: a seat that presses cheat before beating may lay any card; it costs one cheat token. (durak:37-39)"""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS")
    table.talk("""
        1 attack 9S
        2 beat 7S 9S ! D7
        2 cheat
        2 beat 7S 9S
        1 attack 7H ! T2
        = waits 1 throw
        1 done
        3 done
        = waits 2 open
    """)


def test_d43_any_card_transfers_after_a_press():
    """D43: before transferring too. (durak:39)"""
    table = table_of(MOVING, "9S KH", "7S 8H TC", "TS JS 6H")
    table.talk("1 attack 9S / 2 transfer 7S ! D26 / 2 cheat / 2 transfer 7S / = waits 2 throw, 3 beat")


def test_d43_without_the_option():
    """D43: cheating=0, the default; the verbs are refused under their own rules."""
    for game in ("throw-in", "throw-in cheating=0", "simple"):
        table = table_of(game, "9S KH", "7S 8H TC", "TS JS")
        table.talk("1 attack 9S / 2 cheat ! D43 / 1 catch 9S ! D44 / 3 catch 9S ! D44")


def test_d43_each_seat_has_its_number_of_tokens():
    """D43: cheating=N: each seat has N cheat tokens, for the whole game."""
    for count in (1, 2, 3):
        table = table_of("throw-in cheating=%d" % count, "9S 9H 9C JS JC", "6S 7S 8S 6H 7H", "KC KS")
        table.talk("1 attack 9S / 1 attack 9H / 1 attack 9C")
        for target in ("9S", "9H", "9C")[:count]:
            table.talk("2 cheat / 2 beat %s %s" % (table.cards("hand2")[0], target))
        if count < 3:
            table.talk("2 cheat ! D43")


def test_d43_only_the_defender_with_an_unbeaten_card_before_take():
    """D43 (decided): on the press; only the defender, an unbeaten card on the table, before take, not twice."""
    table = table_of("throw-in cheating=3", "9S KH", "TS 8H TC", "JS")
    table.talk("""
        2 cheat ! D43 D12
        1 attack 9S
        1 cheat ! D43
        3 cheat ! D43
        2 cheat
        2 cheat ! D43
        2 beat TS 9S
        2 cheat ! D43
        1 done
        3 done
    """)
    table = table_of("throw-in cheating=3", "9S KH", "TS 8H TC", "JS")
    table.talk("1 attack 9S / 2 take / 2 cheat ! D43")


def test_d43_the_token_is_spent_on_the_press():
    """D43 (decided): it covers the next beat or transfer in this bout, also one that fits, and is lost with a take."""
    table = table_of(TOKEN, "9S KH", "TS 8H TC 6S", "JS QS")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat TS 9S / 1 done / 3 done / 2 attack 8H / 3 take / 2 done / 1 done
        = waits 1 open
    """)
    table.talk("1 attack KH / 2 cheat ! D43")
    table = table_of(TOKEN, "9S KH", "TS 8H TC 6S", "JS QS")
    table.talk("1 attack 9S / 2 cheat / 2 take / 1 done / 3 done / 3 attack JS / 1 take / 2 attack 6S")
    table.talk("3 take / 1 attack JS / 2 beat 8H JS ! D7 / 2 cheat ! D43")


def test_d43_a_token_covers_one_card():
    """D43: it is used up by the card that it covers."""
    table = table_of("throw-in cheating=2", "9S 9H KH", "7S 8H TC 6S", "JS QS")
    table.talk("""
        1 attack 9S / 1 attack 9H / 2 cheat / 2 beat 7S 9S / 2 beat 6S 9H ! D7 / 2 cheat / 2 beat 6S 9H
    """)


def test_d43_it_waives_only_the_fit_of_a_beat():
    """D43 (decided): D7 to D11 for a beat; T1, T2 and the target stand."""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "JS QS")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat JS 9S ! T2 / 2 beat 8H KH ! D7 / 2 beat 8H QS ! D7
        2 attack 8H ! D12 / 2 beat 8H 9S
    """)
    for game in ("japanese-spades deck=54", "japanese-diamonds deck=54"):
        table = table_of(game + " cheating=1", "9S", "XB 7H", "JS QS")
        table.talk("1 attack 9S / 2 cheat / 2 beat 7H 9S")
    table = table_of("throw-in deck=54 cheating=1", "XB", "8D 7H", "JS QS")
    table.talk("1 attack XB / 2 beat 8D XB ! D8 / 2 cheat / 2 beat 7H XB")


def test_d43_it_waives_only_the_rank_of_a_transfer():
    """D43 (decided): D26, D31; not D17 to D19 nor D27 to D29."""
    table = table_of("transfer cheating=2", "9S KH", "7S 8H TC", "JS QS")
    table.talk("1 attack 9S / 2 cheat / 2 transfer 7S ! D28")
    table = table_of(MOVING, "9S KH", "7S 8H TC", "JS")
    table.talk("1 attack 9S / 2 cheat / 2 transfer 7S ! D27")
    table = table_of(MOVING, "TD KH", "7S 8H TC", "JS QS")
    table.talk("1 attack TD / 2 cheat / 2 transfer 7S ! D29")
    table = table_of(MOVING, "9S 9H KH", "TS 8H TC", "JS QS AS")
    table.talk("1 attack 9S / 1 attack 9H / 2 beat TS 9S / 2 cheat / 2 transfer 8H ! D26")
    table = table_of(MOVING + " late_transfer=yes", "9S TH KH", "TS 8H TC", "JS QS AS")
    table.talk("""
        1 attack 9S / 2 beat TS 9S / 1 attack TH / 2 transfer 8H ! D31 / 2 cheat / 2 transfer 8H
        = waits 2 throw, 3 beat
    """)


def test_d43_not_for_show():
    """D43 (decided): a cheat token does not help showing, and is lost with it."""
    table = table_of(MOVING + " shown_trump=yes", "9S KH QH JH", "TD 9D 8H TC", trump="6D")
    table.talk("""
        1 attack 9S / 2 cheat / 2 show TD ! D26 D30 / 2 show 9D / 1 take / 2 done / 2 attack 8H
        1 beat QH 8H / 2 done
    """)
    table.talk("1 attack JH / 2 cheat / 2 take")
    table = table_of("transfer first_transfer=yes shown_trump=yes cheating=1", "9S KH QH", "9D 8H TC", trump="6D")
    table.talk("1 attack 9S / 2 cheat / 2 show 9D / = waits 1 beat, 2 throw / 1 beat KH 9S ! D7")


def test_d43_a_token_is_lost_with_the_bout():
    """D43 (decided): a press that covered nothing does not live on; a transfer gives it to nobody."""
    table = table_of(MOVING, "9S KH QH", "9H 8H TC", "7S 6S JC KC")
    table.talk("""
        1 attack 9S / 2 cheat / 2 transfer 9H / 3 beat 7S 9S ! D7 / 3 cheat / 3 take / 2 done / 1 done
        = waits 1 open
    """)
    table.talk("1 attack KH / 2 beat 8H KH ! D7")


def test_d44_a_right_accusation_takes_a_beating_card_back():
    """D44: right: the card goes back to its hand and what it beat is unbeaten. (durak:37; decided)"""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS")
    table.talk("""
        1 attack 9S
        2 cheat
        2 beat 7S 9S
        1 done
        = waits 3 throw
        3 catch 7S
        = hand 2 7S 8H TC
        = lies attack1 9S
        = waits 1 throw, 2 beat
        2 beat 7S 9S ! D7
        2 cheat ! D43
        2 beat TC 9S ! D7
        2 take
    """)


def test_d44_a_right_accusation_clears_every_done():
    """D44 (decided): the turn is the attacker's, and who said done may say it again."""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS", "QS QC")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 done / 3 done / 4 catch 7S / 1 done / 3 done / 4 done
        = waits 2 beat
    """)


def test_d44_a_wrong_accusation_costs_a_token():
    """D44: wrong: the accuser loses a cheat token, and with none left may not accuse again this game. (decided)"""
    table = table_of(TOKEN, "9S KH", "TS 8H TC", "6S JS", "QS QC")
    table.talk("""
        1 attack 9S
        2 beat TS 9S
        3 catch TS
        = lies cover1 TS
        = waits 1 throw
        3 catch TS ! D44
        3 catch 9S ! D44
        4 catch 9S
        4 catch 9S ! D44
        1 done
        3 done
        4 done
        2 attack 8H
        3 cheat ! D43
    """)


def test_d44_right_only_if_the_token_was_needed():
    """D44 (decided): a fitting card laid under a cheat token is a wrong accusation."""
    table = table_of("throw-in cheating=2", "9S 9H KH", "TS 8H TC 6S", "JS")
    table.talk("""
        1 attack 9S / 1 attack 9H / 2 cheat / 2 beat TS 9S / 3 catch TS / = lies cover1 TS / 2 cheat
        2 beat 6S 9H / 3 catch 6S
    """)
    table.talk("= hand 2 6S 8H TC / 3 catch TS / 3 catch TS ! D44")


def test_d44_a_transfer_that_fits_is_a_wrong_accusation():
    """D44 (decided): with a cheat token or without; what an attacker laid always fits."""
    for press in ("", "2 cheat / "):
        table = table_of(MOVING, "9S KH", "9C 8H TC", "TS JS AS AC")
        table.talk("1 attack 9S / %s2 transfer 9C / 1 catch 9C / 1 catch 9S ! D44 / = waits 2 throw, 3 beat" % press)
        table.talk("3 catch 9S / 3 catch 9C / 3 catch 9S ! D44 / = waits 2 throw, 3 beat")


def test_d44_who_may_accuse():
    """D44 (decided): every seat but the card's own, the attacker, a partner and a seat that is out too."""
    for seat in (1, 3, 4):
        table = table_of("throw-in cheating=1 teams=2x2", "9S KH", "7S 8H TC", "TS JS", "QS QC")
        table.talk("1 attack 9S / 2 cheat / 2 beat 7S 9S / 2 catch 7S ! D44 / %d catch 7S / = hand 2 7S 8H TC" % seat)
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS", "")
    table.talk("1 attack 9S / 2 cheat / 2 beat 7S 9S / 4 catch 7S / = hand 2 7S 8H TC")


def test_d44_the_accused_may_not_accuse_itself_but_others_cards():
    """D44: any other seat; the defender may accuse what an attacker laid, and is wrong."""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS")
    table.talk("1 attack 9S / 1 catch 9S ! D44 / 2 catch 9S / 2 catch 9S ! D44 / 2 cheat ! D43")


def test_d44_between_take_and_the_end_of_the_bout():
    """D44 (decided): anybody may accuse between take and the bout's end; the take stands."""
    table = table_of(TOKEN, "9S 7C KH", "7S 8H TC", "TS JS")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 attack 7C / 2 take / 3 catch 7S / = hand 2 7S 8H TC
        = waits 1 throw_more
    """)
    table.talk("1 done / 3 done / = hand 2 7C 7S 8H 9S TC")


def test_d44_d23_a_card_that_goes_back_after_take_may_end_the_bout():
    """D44, D23 (decided): D23 is asked again: now more cards are unbeaten than the defender holds."""
    table = table_of(MOVING + " late_transfer=yes", "9S 9H 7C KH", "7S 7H TC", "TS JS AS", "QC KC AC")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 attack 7C / 2 transfer 7H / 3 take / = waits 2 throw_more
        4 catch 7S / = waits 4 open / = hand 2 7S TC / = hand 3 7C 7H 9S AS JS TS
    """)


def test_d44_only_a_card_on_the_table():
    """D44: a card on the table, until the bout ends; what nobody noticed stands. (decided)"""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS")
    table.talk("""
        3 catch TS ! D44 D12 / 1 attack 9S / 3 catch 8H ! D44 / 3 catch KS ! D44 / 3 catch XB ! T2
        2 cheat / 2 beat 7S 9S
    """)
    table.talk("1 done / 3 done / 3 catch 7S ! D44 / = waits 2 open")


def test_d44_not_while_cards_are_drawn():
    """D44, T3: the bout is over, nothing else is accepted while a draw is due."""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS", stock="AC AH AS")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 done / 3 done / 3 catch 7S ! D24 D44 T3 / 1 draw AC
        = waits 1 draw
    """)


def test_d44_the_token_of_the_caught_is_not_given_back():
    """D44 (decided)."""
    table = table_of(TOKEN, "9S KH", "7S 8H TC", "TS JS")
    table.talk("1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 catch 7S / 2 cheat ! D43 / 2 catch 9S ! D44")


def test_d44_a_transfer_is_undone():
    """D44: right: the transfer is undone; every card laid since goes back to the hand it came from. (decided)"""
    table = table_of(MOVING, "9S KH JC", "8S 8H TC", "TS JS 9C AS", "6C 9H KC")
    table.talk("""
        1 attack 9S
        1 done
        2 cheat
        2 transfer 8S
        3 beat TS 9S
        2 attack 8H
        2 done
        4 done
        1 done
        3 beat JS 8S
        4 catch 8S
        = hand 1 JC KH
        = hand 2 8H 8S TC
        = hand 3 9C AS JS TS
        = lies attack1 9S
        = lies attack2
        = waits 1 throw, 2 beat
        2 transfer 8S ! D26
        3 beat TS 9S ! D20
        2 beat TC 9S ! D7
        2 take
        3 beat TS 9S ! D20
        1 done
        3 attack 9C
    """)


def test_d44_undoing_a_transfer_brings_roles_and_shown_trumps_back():
    """D44 (decided): roles and shown trumps too; cheat tokens spent since stay spent; the take is gone."""
    game = "transfer first_transfer=yes shown_trump=yes cheating=1"
    table = table_of(game, "9S KH JC", "8S 8H TC", "9D JS 9C AS", "9H QC 6C KC", trump="6D")
    table.talk("""
        1 attack 9S
        2 cheat
        2 transfer 8S
        3 cheat
        3 beat 9C 8S
        3 take
        2 done
        4 catch 8S
        = hand 3 9C 9D AS JS
        = waits 1 throw, 2 beat
        2 cheat ! D43
        2 take
        1 done
        3 catch 9S ! D44
    """)
    table = table_of(game, "9S KH JC", "9C 8H TC", "9D JS 8C AS", "9H QC 6C KC", trump="6D")
    table.talk("""
        1 attack 9S / 2 cheat / 2 transfer 8H / 3 show 9D / = waits 3 throw, 4 beat / 1 catch 8H
        = waits 1 throw, 2 beat
    """)
    table.talk("2 transfer 9C / = waits 2 throw, 3 beat / 3 show 9D / = waits 3 throw, 4 beat")


def test_d44_a_transfer_in_a_row_of_transfers():
    """D44: transfers before the caught one stand."""
    table = table_of(MOVING, "9S KH JC", "9C 8H TC", "9H JS 8C AS", "TS QC 6C KC", "7S 7H 7C AC AH")
    table.talk("""
        1 attack 9S / 2 transfer 9C / 3 cheat / 3 transfer JS / 4 beat KC JS ! D7 / 4 cheat
        4 transfer 6C / 5 beat AC 6C
    """)
    table.talk("""
        1 catch JS / = hand 3 8C 9H AS JS / = hand 4 6C KC QC TS / = hand 5 7C 7H 7S AC AH
        = waits 2 throw, 3 beat
    """)


def test_d44_in_simple_an_undone_transfer_opens_the_lead_again():
    """D44, D13: the table goes back to just before the transfer, when the defender had not acted."""
    game = "simple transfer=yes first_transfer=yes cheating=1"
    table = table_of(game, "9S 9H JC", "8S 8H TC", "TS JS 9C AS")
    table.talk("1 attack 9S / 2 cheat / 2 transfer 8S / 1 catch 8S / = waits 1 add, 2 beat / 1 attack 9H")
    table = table_of(game, "9S 9H JC", "9C 8H TC", "TS JS 8C AS", "QS QH KS")
    table.talk("""
        1 attack 9S / 2 transfer 9C / 3 cheat / 3 transfer JS / 1 catch JS / = waits 3 beat
        2 attack 8H ! D13
    """)


def test_d44_a_beat_of_a_former_defender():
    """D44, D31: the card goes back to the seat that laid it, though another defends by now."""
    table = table_of(MOVING + " late_transfer=yes", "9S KH 7C", "7S 7H TC", "TS JS AS AH QH", "QC KC AC")
    table.talk("""
        1 attack 9S / 2 cheat / 2 beat 7S 9S / 1 attack 7C / 2 transfer 7H / = waits 2 throw, 3 beat
        4 catch 7S
    """)
    table.talk("= hand 2 7S TC / = waits 2 throw, 3 beat / 3 beat JS 9S / 2 attack 7S")


def test_d23_d44_a_beaten_bout_never_ends_by_itself():
    """D23 against D44 (decided): the attacker's done ends it, also out of turn and without cards."""
    table = table_of(TOKEN, "9S", "7S", "TS JS")
    table.talk("""
        1 attack 9S
        2 cheat
        2 beat 7S 9S
        = waits 1 close
        3 catch 7S
        = waits 2 beat
        2 take
        = result
        = hand 2 7S 9S
        = waits 3 open
    """)
    table = table_of(TOKEN, "9S", "7S", "TS JS")
    table.talk("1 attack 9S / 2 cheat / 2 beat 7S 9S / 2 done ! D16 / 1 done / = result fool 3")


def test_d23_d44_the_attackers_done_out_of_turn():
    """D23 against D44 (decided): in the first bout, five beaten: the attacker need not wait for its turn."""
    table = table_of(TOKEN, "6S 6H 6D 6C 7S QC", "7C 7D 8D TD JD QD KD", "TS JS")
    table.talk("""
        1 attack 6S
        1 attack 6H
        1 attack 6D
        1 attack 6C
        2 beat 7C 6C
        1 attack 7S
        2 beat 7D 6S
        2 beat TD 6H
        2 beat JD 6D
        1 done
        3 done
        2 beat QD 7S
        = waits 1 close
        1 done
        = waits 2 open
    """)


def test_d23_d44_simple_ends_with_the_attackers_done():
    """D23 against D44 (decided): in simple too, when all is beaten; until then done is refused."""
    table = table_of("simple cheating=1", "9S 9H KC", "7S 8H", "TS JS")
    table.talk("""
        1 attack 9S / 1 done ! D13 / 2 cheat / 2 beat 7S 9S / 3 done ! D13 / 2 done ! D13
        = waits 1 close / 1 done / = waits 2 open
    """)


def test_d23_d44_a_take_still_ends_it():
    """D23 with D44: take said and nothing to add: the table ends it, cheating or not."""
    table = table_of(TOKEN, "9S", "7S 8H", "TS JS")
    table.talk("1 attack 9S / 2 take / = waits 3 throw_more / 3 done / = waits 3 open")
    table_of("simple cheating=1", "9S", "7S 8H", "TS JS").talk("1 attack 9S / 2 take / = waits 3 open")


def test_t10_d44_a_card_that_the_arbiter_put_on_the_table():
    """T10, D44: nobody cheated with it: to accuse it is wrong, for every seat."""
    for seat in (1, 2, 3):
        table = table_of(TOKEN, "9S KH", "TS 8H TC", "JS QC")
        table.talk("1 attack 9S / 0 place TS cover1 / %d catch TS / %d catch 9S ! D44" % (seat, seat))
        table.talk("= lies cover1 TS")
