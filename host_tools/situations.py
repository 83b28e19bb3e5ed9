"""What players are told when the table refuses: each situation with its sentence, found by walking through random games.

    rows = list_rows(); text = write_page(rows)      # docs/refusals.md

In states of random games of every mix each seat taps every card and presses every button, as play/seats.py turns that
into an event; nothing is played by it. The walk is the same on every machine: its seeds are numbers, its games random.
"""

from pathlib import Path
from types import ModuleType
from typing import Any

from cardtable.catalogue import find_game
from cardtable.engine.event import CALL_KEY, NO_CARD, NO_KEY, OK_KEY, Event, pack, unpack
from cardtable.engine.session import Session
from cardtable.engine.setup import TABLE_OPTIONS, SetupError, set_up
from cardtable.engine.state import HAND
from cardtable.engine.verdict import words_key
from cardtable.play.seats import Seat
from cardtable.table.words import Words
from host_tools.project import ROOT
from host_tools.random_play import Random, RandomGame, make_header

PAGE = ROOT / "docs" / "refusals.md"
GAMES = 60  # of each game
LOOKS = 5  # one state in so many is looked at
KEYS = {OK_KEY: "OK", NO_KEY: "NO", CALL_KEY: "CALL"}
