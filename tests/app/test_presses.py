"""Presses of one step are judged at the time of the scan that found each, ties as the game says (C5)."""

from cardtable.play.controller import order_presses
from cardtable.table.lights import BLINK_MS, COUNTING, FILLING, FULL, WAITED_FOR, Lights

from host_tools.base.random_play import Random
from tests.app.fake_table import DEAL, NO, OK, Table
from tests.app.strip import Strip


def test_c5_presses_are_ordered_by_time_then_clockwise():
    """C5: seven seats within a few scans, in every order in which they can be found."""
    random = Random(5)
    for _ in range(500):
        seats = 3 + random.below(5)
        first = 1 + random.below(seats)
        presses = [(random.below(3), 1 + random.below(seats), key) for key in range(7)]
        found = list(presses)
        order_presses(found, first, seats)
        wanted = []
        for at_ms in range(3):
            for step in range(seats):
                seat = (first - 1 + step) % seats + 1
                wanted += [press for press in presses if press[:2] == (at_ms, seat)]
        assert found == wanted, (seats, first, presses)


def test_c5_a_press_is_judged_at_the_time_of_its_scan():
    """The controller looks a while later; what is judged never goes back behind what was judged before."""
    table = Table()
    for first, second in DEAL:
        table.tap(3, first)
        table.tap(5, second)
    table.tap(5, "AC")
    table.tap(3, "6S")
    table.parts.time.now_ms += 5000
    now_ms = table.parts.time.now_ms
    table.parts.buttons.presses += [(4 * 4 + NO, now_ms - 40), (2 * 4 + OK, now_ms - 30)]
    table.step(0)
    lines = table.parts.journal.lines[-2:]
    assert [line.split(" ", 1)[1] for line in lines] == ["2 take", "1 done"]
    times = [line.split(" ")[0] for line in lines]
    assert times == ["%g" % ((now_ms - 40) / 1000), "%g" % ((now_ms - 30) / 1000)], (times, now_ms)
    table.tap(3, "6H")
    after_ms = table.parts.time.now_ms
    table.parts.buttons.presses.append((2 * 4 + OK, after_ms - 4000))
    table.step(0)
    lines = table.parts.journal.lines[-2:]
    assert [line.split(" ", 1)[1] for line in lines] == ["1 draw 6H ! T2", "1 done ! D24"]
    times = [float(line.split(" ")[0]) for line in table.parts.journal.lines[1:] if line[0] != ";"]
    assert times == sorted(times)


def colours(meaning: int, amount: int, times: range) -> list:
    """What one light shows at these times."""
    strip = Strip()
    lights = Lights(strip, 1)
    lights.means[0] = meaning
    lights.amounts[0] = amount
    seen = []
    for now_ms in times:
        lights.show(now_ms)
        seen.append(strip.colours[0])
    return seen


def test_c11_a_light_fills_up():
    """C11: a handicap that runs, in eighths."""
    blues = [colours(FILLING, amount, range(1))[0][2] for amount in range(1, FULL + 1)]
    assert blues == sorted(blues) and len(set(blues)) == FULL


def test_b5_a_light_counts_what_is_missing():
    """A begun raise: as many blinks as cards are missing, then a rest."""
    for missing in (1, 2, 3):
        seen = colours(COUNTING, missing, range(0, BLINK_MS * (2 * missing + 3), BLINK_MS))
        assert [1 if sum(colour) else 0 for colour in seen] == [1, 0] * missing + [0, 0, 0]
    assert colours(WAITED_FOR, 0, range(0, 2000, 50)).count((0, 0, 0)) == 0
