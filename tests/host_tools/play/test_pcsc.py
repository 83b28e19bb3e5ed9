"""Readers of PC/SC, against the real pcscd with virtual readers."""

import queue
import threading

import pytest

from host_tools.play.readers.pcsc import Watch, load
from tests.host_tools.play.virtual_pcsc import Card, Daemon
from tests.patience import PATIENCE_S

RUNS_ON = "cpython"  # host tools
pytestmark = pytest.mark.pcsc
PORT = 47101  # the driver has two slots, at this port and the next


@pytest.mark.everything
def test_taps_at_two_slots(tmp_path):
    """Each tag's number as it is, each once."""
    daemon = Daemon(tmp_path, [PORT])
    heard = queue.Queue()
    watch = Watch(load(), lambda *what: what[1] != "beat" and heard.put(what))
    thread = threading.Thread(target=watch.run, daemon=True)

    def until(what, count=1):
        found = []
        while len(found) < count:
            one = heard.get(timeout=PATIENCE_S)
            found += [one] if one[1] == what else []
        return found

    try:
        thread.start()
        until("there", 2)
        for number in range(12):
            uid = bytes([4, number, 1, 2, 3, 4, 5])[: (7, 4)[number // 2 % 2]]
            card = Card(PORT + number % 2, uid)
            ((name, _, came),) = until("came")
            assert came == uid and name.endswith(f"0{number % 2}")
            card.take()
            until("went")
    finally:
        watch.end()
        thread.join(PATIENCE_S)
        daemon.stop()
    assert not [one for one in heard.queue if one[1] == "came"]
