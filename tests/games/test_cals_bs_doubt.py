"""Cal's BS, doubts and the end: C7, C9 to C11, C14, C15, and what docs/rules/cals_bs.md says about them in Details."""

from tests.games.cals_bs_table import deal, lay, pass_all

from cardtable.engine.event import Event, find_verb


def start(game: str = "cals-bs", first: int = 1):
    """Four seats; the fourth has what the others have not."""
    return deal(game, "7S 7H XB 2S 3S", "8S 8H XR 4S 5S", "9S 9H TS JS QS", None, first=first)


def test_c7_true_the_doubter_takes_the_pile():
    """C7: the claimed rank and jokers are true; the doubter takes the whole pile, the seat that laid leads."""
    table = start()
    lay(table, 1, "7S 7H XB", "claim 7")
    table.talk("2 doubt / = hand 2 4S 5S 7H 7S 8H 8S XB XR / = lies set / = lies pile / = waits 1 lead")


def test_c7_false_the_seat_that_laid_takes_it():
    """C7: one false card among true ones is enough; the doubter leads."""
    table = start()
    lay(table, 1, "7S XB 2S", "claim 7")
    table.talk("3 doubt / = hand 1 2S 3S 7H 7S XB / = waits 3 lead")


def test_c7_only_the_last_set_is_opened_and_the_whole_pile_is_taken():
    """C7: sets under it do not matter, nor who laid them."""
    table = start()
    lay(table, 1, "2S", "claim 9")
    lay(table, 2, "4S", "claim 9")
    lay(table, 3, "9S", "claim 9")
    table.talk("1 doubt / = hand 1 2S 3S 4S 7H 7S 9S XB / = waits 3 lead")


def test_c7_nobody_doubts_the_own_set():
    """C5, C7: any other seat may."""
    table = start()
    lay(table, 1, "2S", "claim 9")
    table.talk("1 doubt ! C5")


def test_c7_staged_cards_stay_where_they_are():
    """Details, staging: no doubt and no taken pile moves them."""
    table = start()
    table.talk("2 lay 8S / 3 lay 9S")
    lay(table, 1, "7S", "claim 7")
    table.talk("1 lay 2S / 2 doubt / = lies staged1 2S / = lies staged2 8S / = lies staged3 9S")
    table.talk("= hand 2 4S 5S 7S 8H XR")


def test_c9_c15_a_true_last_set_wins():
    """C9, C15: the game is over at once, and the result lists what the others hold, staged cards too."""
    table = deal("cals-bs", "7S XB", "8S 8H", "9S 9H", None)
    table.talk("2 lay 8S")
    lay(table, 1, "7S XB", "claim 7")
    table.talk("= result winner 1 holds 2:2 3:2 4:48 / 2 doubt ! T14 / 2 pass ! T14 / 0 timeout ! T14")
    table.talk("= screen over / = waits")


def test_c9_a_follower_goes_out():
    """C9: not the leader alone."""
    table = deal("cals-bs", "7S 7H", "7D XB", "9S 9H", None)
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "7D XB", "claim 7")
    table.talk("= result winner 2 holds 1:1 3:2 4:48")


def test_c9_a_false_last_set():
    """C9: as if rightly doubted: the seat takes the whole pile, and the seat to its left leads, also past the last."""
    table = deal("cals-bs", "7S 7H", "8S 8H", "9S 9H", None)
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S 8H", "claim 7")
    table.talk("= hand 2 7S 8H 8S / = waits 3 lead / = result / 1 doubt ! C7")
    table = deal("cals-bs", "7S 7H", None, "9S 9H", first=3)
    lay(table, 3, "9S 9H", "claim 8")
    table.talk("= hand 3 9H 9S / = waits 1 lead")


def test_c9_staged_cards_are_still_held():
    """Details, staging: a seat goes out with its hand and its staged cards in one set."""
    table = deal("cals-bs", "7S 8H", "8S", "9S 9H", None)
    table.talk("1 lay 7S / 1 lay 8H / 1 unlay 8H / 1 claim 7 / = result / 4 doubt / = waits 1 lead")


def test_c9_judged_at_once():
    """Details, C9 moment: without waiting for doubts, a handicap or C14; so a last set cannot be doubted."""
    table = deal("cals-bs handicap=2:4", "7S 7H", "7D", "9S 9H", None)
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "7D", "claim 7")
    table.talk("= result winner 2 holds 1:1 3:2 4:49")


def test_c9_false_while_out_is_declared():
    """Details, C9 while out is declared: the table's check is no doubt; the declaration is over, the left of the one
    that took the pile leads."""
    table = deal("cals-bs", "7S 7H 2S", "8S", "9S 9H", None)
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("= hand 2 7S 8S / = waits 3 lead / 3 lay 9S / 3 claim 9 / 1 pass / 2 doubt")


def test_c9_a_last_set_of_all_fours_and_of_plus():
    """Details, C9 moment, C12, C13: fours were checked already, a plus is checked like any set."""
    table = deal("cals-bs", "7S 7H 7D 7C", "8S", "9S 9H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    table.talk("= result winner 1 holds 2:1 3:2 4:47")
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "XB", "9S 9H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    lay(table, 2, "XB", "plus 1")
    table.talk("= result winner 2 holds 1:1 3:2 4:46")
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "8S", "9S 9H", None)
    lay(table, 1, "7S 7H 7D 7C", "fours")
    lay(table, 2, "8S", "plus 1")
    table.talk("= hand 2 7C 7D 7H 7S 8S / = waits 3 lead")


def test_t7_a_won_game_can_be_reopened():
    """T7: an undo before the result is written; C9: the cards that it turned up go back."""
    table = deal("cals-bs", "7S", "8S 8H", "9S 9H", None)
    lay(table, 1, "7S", "claim 7")
    table.talk("1 undo / 2 agree / 3 agree / 4 agree / = lies staged1 7S / = waits 1 lead")


def test_c10_who_may_ask():
    """Details, C10: the last to lay alone, while a set can be answered, and not twice."""
    table = start()
    table.talk("1 ask ! C10 / 2 ask ! C10")
    lay(table, 1, "7S", "claim 7")
    table.talk("2 ask ! C10 / = screen answer / 1 ask / 1 ask ! C10 / = screen asked / = waits 2 any, 3 any, 4 any")
    pass_all(table)
    table.talk("1 ask ! C10 / = waits 1 lead")


def test_c10_who_has_not_answered_has_passed():
    """C10: after exactly ask_seconds the table says so; who asked leads again. No answer is needed from who passed."""
    table = start("cals-bs ask_seconds=3")
    lay(table, 1, "7S", "claim 7")
    assert table.game.due_ms(table.state) == -1
    table.talk("2 pass / 0 timeout ! C10 / 1 ask")
    assert table.game.due_ms(table.state) == table.event.at_ms + 3000
    table.talk("+2.999 0 timeout ! C10 / +0.001 0 timeout / = waits 1 lead / = lies pile 7S / 0 timeout ! C10")
    assert table.game.due_ms(table.state) == -1


def test_c10_five_seconds_unless_something_else_is_said():
    """C10: the default, in each preset."""
    for preset in ("cals-bs", "cals-bs-plus", "cals-bs-54"):
        table = deal(preset, "7S 7H", "8S", None)
        lay(table, 1, "7S", "claim 7")
        table.talk("1 ask / +4.999 0 timeout ! C10 / +0.001 0 timeout")


def test_c10_only_the_table_says_that_time_is_over():
    """C10: no seat does."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("1 ask / +9 1 timeout ! C10 / 2 timeout ! C10 / 0 timeout / 0 undo ! T2")


def test_c10_a_set_or_a_doubt_ends_the_ask():
    """Details, C10: then there is no timeout; a refused press is no answer."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("1 ask / 2 lay 8S / 2 claim 8 ! C5 / 2 claim 7 / +9 0 timeout ! C10 / 1 ask ! C10 / 2 ask / 3 doubt")
    table.talk("+9 0 timeout ! C10 / = waits 3 lead")


def test_c10_a_refused_press_is_no_answer_and_the_last_pass_ends_the_ask():
    """Details, C10: who was refused has still to answer; with the last pass nothing is due any more."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("1 ask / 2 pass / 2 doubt ! C6 / 3 claim 7 ! C5 / = waits 3 any, 4 any / 3 pass / 4 pass")
    table.talk("= waits 1 lead")
    assert table.game.due_ms(table.state) == -1
    table.talk("+9 0 timeout ! C10")


def test_c10_the_asker_may_not_lay_until_then():
    """Details, C10, C8."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("1 ask / 1 lay 7H / 1 claim 7 ! C8 / 1 pass ! C5 / +5 0 timeout / 1 claim 2")


def test_c10_the_table_word_is_nobodys_to_take_back():
    """T7, C10: after a timeout there is nothing to undo."""
    table = start()
    lay(table, 1, "7S", "claim 7")
    table.talk("1 ask / +5 0 timeout / 1 undo ! T7 / 2 undo ! T7")


def why(table, seat: int) -> str:
    """What stands for # in the words when the seat doubts now."""
    event = Event(seat, find_verb(table.game, "doubt"), at_ms=table.event.at_ms)
    return table.game.fact(table.state, event, table.game.judge(table.state, event))


def test_c11_a_doubt_only_so_long_after_the_set():
    """C11: accepted when exactly that time has passed; other seats are free at once; SECONDS may have decimals."""
    table = start("cals-bs handicap=2:2.5 handicap=3:0")
    lay(table, 1, "7S", "claim 7")
    table.talk("+0 2 doubt ! C11 / +2.499 2 doubt ! C11 / +0.001 2 doubt / = waits 1 lead")
    lay(table, 1, "7H", "claim 7")
    table.talk("+0 3 doubt")


def test_c11_the_refusal_says_how_long_is_left():
    """C11: in seconds, with a tenth that is never too small; and the light fills up in eighths."""
    table = start("cals-bs handicap=2:2")
    lay(table, 1, "7S", "claim 7")
    laid_ms = table.event.at_ms
    said = []
    for passed_ms in (0, 1, 249, 250, 1000, 1900, 1950, 1999, 2000):
        table.event.at_ms = laid_ms + passed_ms
        said.append("%s %d" % (why(table, 2), table.game.fill_light(table.state, 2, laid_ms + passed_ms)))
    assert said == ["2.0 1", "2.0 1", "1.8 1", "1.8 2", "1.0 5", "0.1 8", "0.1 8", "0.1 8", " 0"]
    assert not table.game.fill_light(table.state, 3, laid_ms) and not table.game.fill_light(table.state, 1, laid_ms)


def test_c11_lights_that_are_drawn_a_moment_before_the_press_that_laid_the_set():
    """C11: a press counts at the time of its scan, which may lie behind the time that the lights are drawn for."""
    table = start("cals-bs handicap=2:2")
    lay(table, 1, "7S", "claim 7")
    early_ms = table.event.at_ms - 5
    assert not any(table.game.fill_light(table.state, seat, early_ms) for seat in range(1, table.seats + 1))


def test_c11_counts_from_the_press_that_laid_the_set():
    """Details, C11: a new set starts the count again; an ask or a declaration changes nothing, nor does staging."""
    table = start("cals-bs handicap=2:4")
    table.talk("1 out / 1 lay 7S / +9 1 claim 7 / +2 1 ask / +1.999 2 doubt ! C11")
    lay(table, 3, "9S", "claim 7")
    table.talk("+3.9 2 doubt ! C14 / +3.9 1 doubt")
    table = start("cals-bs handicap=2:4")
    lay(table, 1, "7S", "claim 7")
    table.talk("+3 4 lay 9D / +0.5 4 claim 7 / +3.999 2 doubt ! C11 / +0.001 2 doubt")


def test_c11_a_pass_or_a_set_needs_no_time():
    """C11: only doubts wait; who has passed, or leads, has no light that fills."""
    table = start("cals-bs handicap=2:4 handicap=1:4")
    lay(table, 1, "7S", "claim 7")
    table.talk("+0 2 pass")
    assert not table.game.fill_light(table.state, 2, table.event.at_ms)
    lay(table, 3, "9S", "claim 7")
    table.talk("+0 2 lay 8S / +0 2 claim 7 / +0 1 doubt ! C11")


def test_c14_by_the_seat_that_has_to_lead_with_eight_cards_or_fewer():
    """Details, C14 out: before its press; staged cards count as held; twice is refused."""
    table = deal("cals-bs", "2S 3S 4S 5S 6S 7S 8S 9S TS", "2H 3H 4H 5H 6H 7H 8H 9H", "9D", None)
    table.talk("1 lay 2S / 1 out ! C14 / 2 out ! C14 / 1 claim 2 / 1 out ! C14 / 2 out ! C14")
    pass_all(table)
    table.talk("1 lay 3S / 1 out / 1 out ! C14")
    table = deal("cals-bs-54", "2S 3S 4S 5S 6S 7S 8S 9S TS", "2H 3H 4H 5H 6H 7H 8H 9H", "9D", None)
    table.talk("1 out ! C14")
    table = deal("cals-bs-54", "2S 3S 4S 5S 6S 7S 8S 9S TS", "2H 3H 4H 5H 6H 7H 8H 9H", "9D", None, first=2)
    table.talk("2 out")


def test_c14_only_the_declarer_doubts_a_follower():
    """C14: the declarer's own set may be doubted by all; others may still pass and lay on a follower's."""
    table = start()
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("3 doubt ! C14 / 4 doubt ! C14 / 3 pass")
    lay(table, 4, "9D", "claim 7")
    table.talk("2 doubt ! C14 / 3 doubt ! C14 / 1 doubt / = waits 1 lead / = hand 2 4S 5S 8H XR")
    table = start()
    table.talk("1 out")
    lay(table, 1, "2S", "claim 7")
    table.talk("3 doubt / = waits 3 lead")


def test_c14_ends_when_the_pile_is_taken():
    """C14: after any take, also where the same seat leads again."""
    table = start()
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    table.talk("2 doubt / = waits 1 lead")
    lay(table, 1, "7H", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("3 doubt / = waits 3 lead")


def test_c14_ends_when_another_seat_leads():
    """Details, C14: by C8."""
    table = start()
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    lay(table, 2, "8S", "claim 7")
    pass_all(table)
    table.talk("= waits 2 lead")
    lay(table, 2, "8H", "claim 8")
    lay(table, 3, "9S", "claim 8")
    table.talk("4 doubt / = waits 4 lead")


def test_c14_stands_when_everyone_passes():
    """Details, C14 everyone passes: the declarer leads again and need not, and cannot, declare again."""
    table = start()
    table.talk("1 out")
    lay(table, 1, "7S", "claim 7")
    pass_all(table)
    table.talk("1 out ! C14")
    lay(table, 1, "7H", "claim 7")
    lay(table, 2, "8S", "claim 7")
    table.talk("3 doubt ! C14 / 1 doubt / = waits 1 lead")


def test_c14_plus_sets_of_followers_too():
    """Details, C14: a plus is a follower's set."""
    table = deal("cals-bs", "7S 7H 7D 7C 2S", "8S 8H", "9S 9H", None)
    table.talk("1 out")
    lay(table, 1, "7S 7H 7D 7C", "fours")
    lay(table, 2, "8S", "plus 1")
    table.talk("3 doubt ! C14 / 1 doubt / = hand 2 7C 7D 7H 7S 8H 8S / = waits 1 lead")
