"""The results of a bench: rows, the modules' sizes, notes."""

from dataclasses import dataclass, field


@dataclass
class Row:
    """One figure. `median` is that of the repeats whose best is `value`; `per_calibration` the value for each thousand
    turns of the calibration loop; an aim is a least or a most."""

    room: str
    name: str
    value: float
    unit: str
    median: float | None = None
    per_calibration: float | None = None
    at_least: float | None = None
    at_most: float | None = None

    @property
    def is_missed(self) -> bool:
        """Whether there is an aim and it is not reached."""
        if self.at_least is not None and self.value < self.at_least:
            return True
        return self.at_most is not None and self.value > self.at_most


@dataclass
class Module:
    """One module of the firmware: bytes of its .mpy, and of the heap that its import takes, from a file and from ROM,
    on 64 bits and on 32."""

    name: str
    size: int
    heap: int | None = None
    heap_32: int | None = None
    rom: int | None = None
    rom_32: int | None = None


@dataclass
class Results:
    """Everything that one run has found. `notes` say what could not be measured; `profile` where the time goes."""

    about: dict[str, str] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    modules: list[Module] = field(default_factory=list)
    profile: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def sum_of(modules: list[Module], name: str) -> float | None:
    """Of one column; None where a module has no such figure."""
    values = [getattr(module, name) for module in modules]
    return None if None in values else sum(values)
