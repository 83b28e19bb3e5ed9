"""One field is on at a time, however readers take turns: two would disturb each other, and take more than a supply
gives."""

import pytest

from host_tools.lab.bench.taps import measure_taps
from host_tools.virtual.chips.iso14443a import Field
from tests.host_tools.test_card_ids import test_enrolment_writes_the_tags_that_take_it_and_registers_all as write_tags

RUNS_ON = "cpython"  # the models of the chips do


@pytest.fixture
def most(monkeypatch):
    """[the most fields that were on at once, how often one came on]."""
    on, found = set(), [0, 0]
    switch = Field.switch

    def watch(self, is_on, now_us):
        switch(self, is_on, now_us)
        (on.add if self.on else on.discard)(self)
        found[:] = max(found[0], len(on)), found[1] + is_on

    monkeypatch.setattr(Field, "switch", watch)
    return found


def test_in_a_game_with_cards_on_all_readers(most):
    measure_taps("virtual", "cals-bs cheat-up-down", taps=3)
    assert most[0] == 1 and most[1] > 500


def test_while_tags_are_written_and_read(most):
    write_tags("cpython")
    assert most[0] == 1 and most[1] > 100
