"""People at the virtual table: who acts when."""

from types import SimpleNamespace

import pytest

from host_tools.base.bugs import BugLog
from host_tools.virtual.maker import Maker
from host_tools.virtual.people import NEVER, People


def test_an_act_takes_place_at_its_microsecond_however_late_somebody_looks():
    people, told = People(), []
    acts = []

    def actor():
        for pause_us in (1, 999, 1_000_000):
            yield pause_us
            acts.append(people.now_us)

    people.add(actor())
    people.catch_up(2_000_000, told.append)
    assert acts == [1, 1_000, 1_001_000]
    assert told == [0, 1, 1_000, 1_001_000, 2_000_000] and people.done and people.next_us == NEVER


def test_next_us_says_when_somebody_has_to_be_asked():
    people = People()
    people.at(500, lambda: None)
    assert people.next_us == 500
    people.add(iter_of(lambda: False), 200)
    assert people.next_us == 200
    people.catch_up(300, lambda now_us: None)
    assert people.next_us == 500 and not people.done


def iter_of(*wishes):
    yield from wishes


def test_of_two_at_one_time_the_one_asked_first_acts_first():
    people, acts = People(), []
    for name in "bac":
        people.at(70, lambda name=name: acts.append(name))
    people.at(69, lambda: acts.append("first"))
    people.catch_up(70, lambda now_us: None)
    assert acts == ["first", "b", "a", "c"]


def test_a_wish_is_looked_at_when_something_is_announced_and_every_millisecond():
    people, acts, come = People(), [], []

    def actor():
        yield lambda: come
        acts.append(people.now_us)
        yield lambda: len(come) > 1
        acts.append(people.now_us)

    people.add(actor())
    people.catch_up(100, lambda now_us: None)
    come.append(1)
    people.catch_up(900, lambda now_us: None)
    assert acts == []
    people.look()
    assert acts == [900]
    come.append(2)
    people.catch_up(1_800, lambda now_us: None)
    assert acts == [900]
    people.catch_up(1_950, lambda now_us: None)
    assert acts == [900, 1_950] and people.done


def test_a_wish_that_is_true_at_once_is_not_waited_for():
    people, acts = People(), []

    def actor():
        yield lambda: True
        acts.append(people.now_us)
        yield 5
        acts.append(people.now_us)

    people.add(actor(), 10)
    people.catch_up(100, lambda now_us: None)
    assert acts == [10, 15]


def test_an_error_in_what_somebody_waits_for_comes_out_once_and_the_others_go_on():
    people, acts = People(), []

    def falls():
        yield lambda: 1 // 0 if people.now_us > 50 else False

    def goes_on():
        yield lambda: people.now_us > 100
        acts.append(people.now_us)

    people.add(falls())
    people.add(goes_on())
    people.catch_up(10, lambda now_us: None)
    people.now_us = 60
    with pytest.raises(ZeroDivisionError):
        people.look()
    assert people.next_us < NEVER, "the other one is still looked at"
    people.now_us = 101
    people.look()
    assert acts == [101] and people.done


def test_an_actor_that_falls_takes_nobody_behind_it_along():
    people, acts = People(), []

    def acts_then():
        yield lambda: people.now_us > 50
        acts.append(people.now_us)
        raise ValueError

    people.add(acts_then())
    people.add(acts_then())
    people.catch_up(10, lambda now_us: None)
    people.now_us = 60
    for count in (1, 2):
        with pytest.raises(ValueError):
            people.look()
        assert len(acts) == count
    assert people.done


@pytest.mark.parametrize("waits", [False, True])
def test_a_bug_in_what_an_act_waits_for_costs_the_act_and_not_the_table(waits):
    """Wherever it is met: at once, or by a later look."""
    people, bugs = People(), BugLog(None)

    def act():
        yield lambda: 1 // 0 if people.now_us > 50 * waits - 1 else False

    people.add(bugs.guard(act()))
    people.catch_up(10, lambda now_us: None)
    people.now_us = 60
    people.look()
    people.look()
    assert bugs.count == 1 and people.done


def test_somebody_may_bring_in_somebody_else():
    people, acts = People(), []

    def child():
        yield 3
        acts.append(("child", people.now_us))

    def parent():
        yield 10
        people.add(child())
        yield 10
        acts.append(("parent", people.now_us))

    people.add(parent())
    people.catch_up(50, lambda now_us: None)
    assert acts == [("child", 13), ("parent", 20)]


def test_a_maker_answers_what_was_asked_last():
    """A doctor that was cut short asks from the beginning; the answer to its old question would be a wrong one."""
    pressed = []
    maker = Maker(SimpleNamespace(press=lambda seat, key: pressed.append((seat, key)), release=lambda seat, key: None))
    answers = maker.play()
    is_asked = next(answers)
    for line in ("? Press MENU of seat 4.", "The doctor examines the table.", "? Press OK of seat 1."):
        maker.hear(line)
    while is_asked():
        while not callable(wish := next(answers)):
            assert wish > 0
    assert pressed == [(1, "OK")]


def test_a_maker_leaves_the_card_until_the_next_question():
    """As the doctor asks: what it says meanwhile is no question."""
    lies = set()
    world = SimpleNamespace(now_us=0, put=lambda seat, tag: lies.add(seat), take=lambda seat, tag: lies.remove(seat))
    maker = Maker(world)
    acts = maker.play()
    next(acts)
    maker.hear("? Hold any card on the reader of seat 2, still.")
    assert next(acts) > 0
    is_over = next(acts)
    maker.hear("Reader 2 sees the card, in 100 of 100 looks.")
    assert not is_over() and lies == {2}
    maker.hear("? Take the card away from seat 2.")
    assert is_over()
    next(acts)
    assert not lies
