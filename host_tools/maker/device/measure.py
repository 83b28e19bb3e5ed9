"""Says where to hold the meter for each sentence of the doctor, with the pins of this board.

The sentences are those of firmware/cardtable/words/doctor.LANGUAGE, in whichever language the table speaks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from host_tools.base import foreign
from host_tools.base.languages import WORDS, list_languages
from host_tools.base.wording import Templates
from host_tools.maker.board.wires import find_wires

# The doctor's sentences that have the same place for the meter.
_PLACES = {
    "reader_dead": ("reader_dead",), "reader_misread": ("reader_version", "reader_gain"),
    "reader_hung": ("reader_hung",), "reader_holds": ("reader_holds",), "bus_held": ("bus_held",),
    "bus_open": ("bus_open",), "bus_slow": ("bus_slow", "learn_slow"),
    "reader_weak": ("no_card", "reader_weak", "learn_gain", "learn_misses"),
    "screen": ("screen_silent", "screen_dark"),
    "screens": ("screens_slow", "learn_rises_slowly", "learn_rises_late"),
    "chain": ("chain",), "stuck": ("stuck",),
    "button": ("button_dead", "button_other"), "light": ("light_dark", "light_behind"), "sound": ("sound_mute",),
}
_FACT = re.compile(r"0x%02x|%d|%s")


def find_pin(board: Any, signal: str) -> str:
    """`GPIO 12` of the first wire with that signal; empty if there is none."""
    return next((f"GPIO {wire.pin}" for wire in find_wires(board) if wire.signal.endswith(signal)), "")


def say_where(board: Any, finding: str, words: Templates) -> str:
    """What to measure for a finding of the doctor; empty if there is nothing to hold a meter to."""
    for pattern, key in _patterns():
        found = pattern.match(finding)
        if found:
            place = (found.groups() or ("",))[0]
            behind = _find_channel(board, place) if key == "screen" else {}
            return words.say(f"at.{key}_behind" if behind else f"at.{key}", **_facts(board, place, words), **behind)
    return ""


def _find_channel(board: Any, screen: str) -> dict[str, str]:
    """The switch that the screen of that number has its wires to, and its channel there; empty where it has none."""
    switch = board.SCREEN.get("switch", {"chip": "", "channels": ()})
    channels = {str(number): str(channel) for number, channel in enumerate(switch["channels"], 1)}
    return {"switch": switch["chip"].upper(), "channel": channels[screen]} if screen in channels else {}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Each sentence up to its colon, in every language, and its place; the first number is that of the part."""
    found = []
    for language in list_languages():
        lines = foreign.read_text(WORDS / f"doctor.{language}").splitlines()
        said = dict(line.split("=", 1) for line in lines if "=" in line)
        for place, keys in _PLACES.items():
            for key in keys:
                begin = said.get(f"D.{key}", "").partition(":")[0]
                if begin:
                    facts = iter(_FACT.findall(begin))
                    parts = [re.escape(part) for part in _FACT.split(begin)]
                    found.append((re.compile(parts[0] + "".join(
                        (r"(\d+)" if fact == "%d" else r"\S+") + part
                        for fact, part in zip(facts, parts[1:], strict=True))), place))
    return found


def _facts(board: Any, place: str, words: Templates) -> dict[str, str]:
    bus = board.READERS[0]["spi"]
    signals = {"sck": f"{bus} sck", "mosi": f"{bus} mosi", "miso": f"{bus} miso", "scl": "scl", "sda": "sda",
               "rst": "readers reset", "latch": "latch", "keys_sck": "buttons sck", "keys_miso": "buttons miso",
               "lights": "lights", "buzzer": "buzzer"}
    pins = {name: find_pin(board, signal) or words.say("its_pin") for name, signal in signals.items()}
    select = words.say("by_decoder" if getattr(board, "SELECT", None) else "by_pin", place=place)
    return {**pins, "place": place, "select": select, "supply": words.say("supply")}
