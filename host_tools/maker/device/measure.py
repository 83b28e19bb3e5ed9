"""Says where to hold the meter for each sentence of the doctor, with the pins of this board.

The sentences are those of firmware/cardtable/words/doctor.en. Voltages are against ground with the table on;
resistances with the supply unplugged.
"""

from __future__ import annotations

import re
from typing import Any

from host_tools.maker.board.wires import find_wires

_SUPPLY = "3.3 V against ground at its supply pins (3.2 to 3.4)"


def find_pin(board: Any, signal: str) -> str:
    """`GPIO 12` of the first wire with that signal."""
    return next((f"GPIO {wire.pin}" for wire in find_wires(board) if wire.signal.endswith(signal)), "its pin")


def say_where(board: Any, finding: str) -> str:
    """What to measure for a finding of the doctor; empty if there is nothing to hold a meter to."""
    for pattern, where in _rows(board):
        found = re.match(pattern, finding)
        if found:
            return where.replace("#", (found[1] if found.groups() else "") or "")
    return ""


def _rows(board: Any) -> list[tuple[str, str]]:
    reader_bus = board.READERS[0]["spi"]
    sck, mosi, miso = (find_pin(board, f"{reader_bus} {name}") for name in ("sck", "mosi", "miso"))
    decoder = getattr(board, "SELECT", None)
    select = "the decoder's output of seat #" if decoder else "the select pin of seat #"
    scl, sda = find_pin(board, "scl"), find_pin(board, "sda")
    return [
        (r"Reader (\d) does not answer",
         f"At reader #: {_SUPPLY}; 3.3 V at SS while nothing is asked ({select}). Supply unplugged: under 1 Ohm"
         f" from its SCK to {sck}, less the 47 Ohm, from its MOSI to {mosi}, and from its RST to"
         f" {find_pin(board, 'readers reset')}; MISO goes through its gate to {miso}."),
        (r"Reader (\d) (?:is misread|does not keep)",
         f"At reader #: {_SUPPLY}, also while its neighbour is read: a drop says that the supply wire is too thin."
         f" Under 1 Ohm from its ground to the module's. 47 Ohm between {sck} and SCK."),
        (r"Reader (\d) hung", f"At reader #: {_SUPPLY}, and 10 uF between those pins."),
        (r"Reader (\d) holds MISO",
         "At the 74LVC1G125 of reader #: its /OE is SS, 3.3 V at rest. 0 V, or no gate at all, lets the reader hold the"
         " line."),
        (r"MISO is held low", f"{miso} against ground with no reader plugged in: 3.3 V. With 0 V there is a short."),
        (r"Nothing pulls MISO up", f"With the supply unplugged: 10 kOhm between {miso} and 3.3 V."),
        (r"The readers' bus works only",
         f"With the supply unplugged: 47 Ohm between {sck} and the first reader's SCK, and between {mosi} and its MOSI."
         " Under 1 Ohm between the module's ground and the last reader's."),
        (r"Reader (\d) (?:saw no card|read the card)",
         f"At reader #: {_SUPPLY} with a card on it. No metal within 20 mm."),
        (r"Screen (\d)",
         f"At screen #: {_SUPPLY}; 3.3 V at SCL ({scl}) and SDA ({sda}) at rest. 0 V at one of them: a short, or no"
         " 2.2 k."),
        (r"The buttons are silent",
         f"At each 74HC165: {_SUPPLY}; with the supply unplugged under 1 Ohm from its /PL to"
         f" {find_pin(board, 'latch')}, from its CP to {find_pin(board, 'buttons sck')}, and from Q7 of the first one"
         f" to {find_pin(board, 'buttons miso')}."),
        (r"Button \w+ of seat (\d) is closed",
         "At its input of the 74HC165: 3.3 V with the button open. 0 V: a short, or the button sits turned."),
        (r"Button \w+ of seat (\d) was not felt|Instead of",
         "At its input of the 74HC165: 3.3 V open, 0 V pressed. Always 3.3 V: its wire or its ground."),
        (r"The light of seat (\d)",
         f"At light #: 4.3 V against ground (5 V less the diode). With the supply unplugged: 330 Ohm between"
         f" {find_pin(board, 'lights')} and DIN of the first light."),
        (r"The buzzer is mute",
         f"Across the piezo: 1 kOhm with the supply unplugged. 1 kOhm between {find_pin(board, 'buzzer')} and the"
         " transistor's base. 5 V at the piezo's other side."),
    ]
