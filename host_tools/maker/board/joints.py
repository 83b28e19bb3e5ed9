"""Tells in words what is joined to what, read off the circuit that the netlist is made of: so both say the same."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from host_tools.maker.board.netlist import CHIPS, make_circuit

_End = tuple[str, str]  # (reference, pin) of the circuit, or (part, pin) in words
_RAILS = {"GND": "ground", "3V3": "3.3 V", "5V": "5 V", "3V3_OUT": "3.3 V of the regulator"}
_UNITS = {"RD": "reader", "LED": "light", "DS": "screen"}
_BEHIND = {"74HC165": 9, "74LVC1G125": 20}  # their numbers in the circuit begin behind these
_LEGS = {"BC547": {"B": "base", "C": "collector", "E": "emitter"}, "1N4001": {"A": "anode", "K": "cathode"},
         "5 V supply, 2 A": {"P": "plus", "N": "minus"}}
_SIGNALS = {"select": "select of seat {}", "miso": "miso of seat {}", "chain": "buttons chain", "input": "buttons",
            "light": "lights", "4V3": "lights", "scl": "screen", "sda": "screen"}


class Joints:
    """The circuit of a board in words."""

    def __init__(self, board: Any) -> None:
        circuit = make_circuit(board)
        self._values, self._nets = circuit.parts, circuit.nets
        self._net_of = {end: net for net, ends in self._nets.items() for end in ends}
        self._kinds = Counter(self._kind(reference) for reference in self._values)
        self._told = set(_RAILS)

    def tell_pin(self, gpio: int) -> str:
        """Where that pin of the module goes to."""
        net = self._net_of.get(("U1", f"GPIO{gpio}"))
        return _say(self._list_ends(net, "U1")) if net else "nothing"

    def list_rows(self) -> list[tuple[str, str, str]]:
        """(from, signal, to) of all that no pin of the module has told: between parts, and to the rails."""
        rows: list[tuple[list[_End], str, list[_End]]] = []
        for net, ends in self._nets.items():
            if net in self._told:
                continue
            first = min((end for end in ends if not self._is_small(end[0])), key=lambda end: end[0][0] != "U")
            prefix, _, number = net.partition("_")
            row = [self._in_words(*first)], _SIGNALS.get(prefix, prefix).format(number), self._list_ends(net, first[0])
            if rows and _is_alike(rows[-1], row):
                rows[-1] = [*rows[-1][0], *row[0]], row[1], [*rows[-1][2], *row[2]]
            else:
                rows.append(row)
        return [(_say(start), signal, _say(to)) for start, signal, to in rows] + self._list_rails()

    def _list_rails(self) -> list[tuple[str, str, str]]:
        """What lies at a rail: all parts of a kind in one row where they have that pin there."""
        ends = [(reference, self._pin(reference, pin), _RAILS[net]) for (reference, pin), net in self._net_of.items()
                if net in _RAILS and not self._is_small(reference)]
        counts = Counter((self._kind(reference), pin, rail) for reference, pin, rail in ends)
        found: dict[tuple[str, bool], dict[str, str]] = {}
        for reference, pin, rail in sorted(ends, key=lambda end: list(self._values).index(end[0])):
            kind = self._kind(reference)
            is_shared = counts[kind, pin, rail] == self._kinds[kind] > 1
            is_sentinel = re.fullmatch(r"D\d", pin) is not None
            found.setdefault((f"every {kind}" if is_shared else self._part(reference), is_sentinel), {})[pin] = rail
        rows = []
        for (part, is_sentinel), pins in found.items():
            order = sorted(pins, reverse=is_sentinel)  # its highest bit first, as the board file has it
            to = ", ".join(pins[pin] for pin in order)
            rows.append((f"{part}: {' '.join(order)}", "sentinel" if is_sentinel else "supply", to))
        return rows

    def _list_ends(self, net: str, without: str) -> list[_End]:
        """What is on a net, in words, but for one part; what lies behind a resistor stands behind its value."""
        self._told.add(net)
        ends = [end for end in self._nets[net] if end[0] != without]
        counts = Counter((self._kind(end[0]), self._pin(*end)) for end in ends)
        found: list[_End] = []
        for reference, pin in ends:
            kind = self._kind(reference)
            if self._is_small(reference):
                continue
            one = self._in_words(reference, pin)
            if counts[kind, self._pin(reference, pin)] == self._kinds[kind] > 1:
                one = f"every {kind}", one[1]
            if one not in found:
                found.append(one)
        for reference, pin in ends:
            if self._is_small(reference):
                other = self._net_of[reference, "2" if pin == "1" else "1"]
                to = _RAILS.get(other) or _say(self._list_ends(other, reference))
                found.append((f"{_measure(self._values[reference])} to {to}", ""))
        return found

    def _is_small(self, reference: str) -> bool:
        """Whether it is a resistor or a capacitor."""
        return re.fullmatch(r"[RC]\d+", reference) is not None

    def _kind(self, reference: str) -> str:
        value = self._values[reference].removesuffix(" board").partition(",")[0]
        return _UNITS.get(reference.rstrip("0123456789"), "button" if reference.startswith("SW") else value)

    def _part(self, reference: str) -> str:
        kind, number = self._kind(reference), re.search(r"\d+", reference)
        if self._kinds[kind] == 1 or not number:
            return kind
        return f"{kind} {int(number[0]) - _BEHIND.get(kind, 0)}"

    def _pin(self, reference: str, pin: str) -> str:
        value = self._values[reference]
        if value in CHIPS:
            return next(name for name, number in CHIPS[value].items() if str(number) == pin)
        return "other side" if reference.startswith("SW") and pin == "B" else _LEGS.get(value, {}).get(pin, pin)

    def _in_words(self, reference: str, pin: str) -> _End:
        button = re.fullmatch(r"SW(\d)([A-Z]+)", reference)
        return (f"seat {button[1]}", button[2]) if button else (self._part(reference), self._pin(reference, pin))


def _is_alike(one: tuple[list[_End], str, list[_End]], other: tuple[list[_End], str, list[_End]]) -> bool:
    """Whether two rows go from one part to the same parts, so that they can be one."""
    def parts(ends: list[_End]) -> set[str]:
        return {part for part, _ in ends}

    return parts(one[0]) == parts(other[0]) and one[1] == other[1] and parts(one[2]) == parts(other[2])


def _say(ends: list[_End]) -> str:
    """`74HC165 1: D7 D6, 10 k to 3.3 V`: each part once; several of one value are "each"."""
    pins: dict[str, list[str]] = {}
    for part, pin in ends:
        pins.setdefault(part, []).append(pin)
    return ", ".join(f"{part}: {' '.join(found)}" if found[0] else part + " each" * (len(found) > 1)
                     for part, found in pins.items())


def _measure(value: str) -> str:
    """47 as `47 Ohm`, 2.2k as `2.2 k`, 100uF as `100 uF`."""
    number, unit = re.fullmatch(r"([\d.]+)(.*)", value).groups()  # type: ignore[union-attr]
    return f"{number} {unit or 'Ohm'}"
