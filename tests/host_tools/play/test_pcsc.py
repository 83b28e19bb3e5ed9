"""Readers of PC/SC, against the real pcscd with virtual readers."""

import os

import pytest

from tests.host_tools.play.many_taps import tap_all

RUNS_ON = "cpython"  # host tools
pytestmark = pytest.mark.pcsc
TAPS = int(os.environ.get("CARDTABLE_TAPS", "320"))  # ten thousand take ten minutes, most of which the daemon sleeps


@pytest.mark.everything
def test_every_tap_is_told_once_with_its_own_number(tmp_path):
    """Sixteen slots; numbers of 4, 7 and 10 bytes; every third tag is laid as the one before is taken away."""
    assert tap_all(tmp_path, TAPS) == {"right": TAPS // 16 * 16, "wrong": 0, "twice": 0, "lost": 0}
