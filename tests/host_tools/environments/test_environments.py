"""Games for programs that learn: every act has a number, observations are honest, and other people's tests pass."""

import os
import re
import subprocess
import sys
import warnings

import pytest

from cardtable.catalogue import find_game
from host_tools.base.errors import UnusableInput
from host_tools.base.project import ROOT
from host_tools.base.random_play import Random
from host_tools.minds.environments.acts import WAIT, Acts
from host_tools.minds.environments.table import Table
from host_tools.sight.recorded import Recorded
from tests.host_tools.players.test_honesty import make_twin

LINES = (("durak throw-in", 3), ("durak transfer cheating=2 deal=counted", 2), ("cals-bs", 3), ("bailiff", 2),
         ("malice", 2))


def play(line, seats, seed, steps=400, each=lambda table: None):
    """A game of random acts; each(table) is asked before each of them."""
    draw, table = Random(seed), Table(line, seats, seed)
    for _ in range(steps):
        if not table.agent:
            break
        each(table)
        legal = table.legal()
        table.step(legal[draw.below(len(legal))])
    return table


@pytest.mark.parametrize("name", ["durak", "cals-bs", "bailiff", "malice"])
def test_each_act_has_one_number_and_words(name):
    acts = Acts(find_game(name))
    assert len(set(acts.packed[1:])) == len(acts) - 1 == len(acts.numbers) - 1
    words = {acts.describe(number) for number in range(0, len(acts), 97)}
    assert len(words) == len(range(0, len(acts), 97)) and "wait" in words


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_masks_shapes_and_records(line, seats):
    """The mask is what the table accepts, an observation has one length, and the record replays."""
    lengths = set()

    def look(table):
        mask = table.legal_mask()
        assert [number for number, bit in enumerate(mask) if bit] == sorted(table.legal())
        lengths.update(len(table.observe(seat)) for seat in range(1, seats + 1))
        assert mask[WAIT] == table.may_wait()

    table = play(line, seats, 3, 150, look)
    assert len(lengths) == 1
    assert Recorded("x", table.record().encode()).count == table.events


@pytest.mark.parametrize(("line", "seats"), LINES)
def test_what_a_seat_observes_tells_nothing_hidden(line, seats):
    """Where all that is hidden from a seat is dealt out anew, it observes the same bytes and the same acts."""
    draw, changed = Random(9), []

    def look(table):
        for seat in range(1, seats + 1):
            before = table.observe(seat), seat == table.agent and table.legal_mask()
            kept = table.session
            table.session, is_other = make_twin(kept, seat, table.dealt.unseen[seat], draw)
            table.gather_acts(seat)
            changed.append(is_other)
            assert (table.observe(seat), seat == table.agent and table.legal_mask()) == before
            table.session = kept
            table.gather_acts(seat)

    play(line, seats, 4, 60, look)
    assert sum(changed) > 20


def test_what_is_not_legal_is_one_sentence():
    table = Table("durak", 2, 1)
    illegal = next(number for number in range(len(table.acts)) if number not in table.legal())
    with pytest.raises(UnusableInput, match=f"act {illegal} is not legal now for seat {table.agent}"):
        table.step(illegal)
    with pytest.raises(UnusableInput):
        Table("chess", 2)


def test_the_same_seed_is_the_same_game():
    assert play("durak", 2, 5).record() == play("durak", 2, 5).record() != play("durak", 2, 6).record()


@pytest.mark.everything
@pytest.mark.parametrize(("line", "seats"), LINES)
def test_pettingzoo_takes_it(line, seats):
    from pettingzoo.test import api_test, seed_test

    from host_tools.minds.environments.tools import CardtableAEC

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation")  # it would like it better without a mask beside it
        api_test(CardtableAEC(line, seats), num_cycles=300)
    seed_test(lambda: CardtableAEC(line, seats), num_cycles=100)


@pytest.mark.everything
@pytest.mark.parametrize(("line", "opponents"), [("durak", ("random", "beginner")), ("bailiff", ("sound",)),
                                                 ("malice", ("random",)), ("cals-bs", ("beginner", "random"))])
def test_gymnasium_takes_it(line, opponents):
    from gymnasium.utils.env_checker import check_env

    from host_tools.minds.environments.tools import CardtableEnv

    env = CardtableEnv(line, opponents, step_limit=300)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    _, facts = env.reset(seed=3)
    draw, rewards = Random(1), []
    for _ in range(3000):
        legal = env.table.legal()
        _, reward, is_over, is_cut, facts = env.step(legal[draw.below(len(legal))])
        assert not facts["refused"]
        if is_over or is_cut:
            rewards.append(reward)
            break
    assert rewards


@pytest.mark.everything
def test_the_example_of_the_docs_beats_random(tmp_path):
    """As it stands there, in a process of its own, from any folder."""
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    told = re.search(r"It says `(lost .*)` and takes", page)[1]
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.stdout == told + "\n", done.stderr
