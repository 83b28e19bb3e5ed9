"""Chips that a board may name: one row each, and one sentence for a chip without one."""

import pytest

from boards import virtual
from host_tools.virtual.chip_rows import KINDS, UnknownChip, find_chip
from host_tools.maker.board.parts_list import count_parts
from host_tools.maker.board.power import budget
from host_tools.base.errors import UnusableInput
from tests.conftest import ROOT

DRIVERS = ROOT / "firmware" / "cardtable" / "drivers"


class Foreign:
    """The virtual board with readers of a chip that nobody knows."""

    READERS = tuple({**reader, "chip": "foo1"} for reader in virtual.READERS)

    def __getattr__(self, name):
        return getattr(virtual, name)


@pytest.mark.parametrize("use", [count_parts, budget])
def test_an_unknown_chip_is_one_sentence(use):
    with pytest.raises(UnusableInput, match="no model of a reader 'foo1': .*chip_rows.py has mfrc522, pn532"):
        use(Foreign())


def test_every_row_has_its_driver_and_every_kind_its_sentence():
    for kind, rows in KINDS.items():
        for name in rows:
            assert (DRIVERS / f"{name if kind == 'reader' else kind + '_' + name}.py").is_file(), name
        with pytest.raises(UnknownChip, match=f"{kind} 'foo1'"):
            find_chip(kind, "foo1")
