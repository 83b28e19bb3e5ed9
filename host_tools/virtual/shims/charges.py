"""Lets computing take time: how much each piece of work takes the host says (host_tools/virtual/computing.py).

It stands for the time that py/vm.c and py/gc.c take on a chip.
"""

import builtins
import sys

import virtual_clock

WHERE = "cardtable.play.judge_and_write"
_import = builtins.__import__


def charge(us: int) -> None:
    """So much time passes; timers that fall due in it are called."""
    virtual_clock.now_us += us
    if virtual_clock.now_us >= virtual_clock.due_us:
        virtual_clock.catch_up()


def charging(work, us: int):
    """The same work, after the time that it takes."""

    def work_charged(*what):
        charge(us)
        return work(*what)

    return work_charged


def begin(told: str, tidy) -> None:
    """Charge from now on. told: microseconds of a transaction on SPI, a verdict, an event as played, a collection, the
    write of a line. tidy: what the program gets as its `gc`. The module that judges comes and goes, so it is met
    whenever something has been imported."""
    frame_us, verdict_us, played_us, collect_us, write_us = [int(us) for us in told.split()]
    virtual_clock.frame_us = frame_us
    tidy.collect = charging(tidy.collect, collect_us)

    def import_charged(*what):
        module = _import(*what)
        judging = getattr(sys.modules.get(WHERE), "Judging", None)
        if judging is not None and not hasattr(judging, "is_charged"):
            judging.is_charged = True
            judging.ask = charging(judging.ask, verdict_us)
            judging.say = charging(judging.say, played_us)
            judging.write_late = charging(judging.write_late, write_us)
        return module

    builtins.__import__ = import_charged
