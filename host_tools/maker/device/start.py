"""Fits the application to the chip's memory, and starts it: from files or from the ROM partition."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from host_tools.maker.device import deploy as deploying
from host_tools.maker.device import memory, rom
from host_tools.maker.device.package import Package, build_package
from host_tools.maker.device.table import Table


def fit(table: Table, package: Package, say: Callable[[str], object], uses_rom: bool | None = None) -> Package:
    """The application as a stopped table's chip can hold it: without line numbers, with short names where its heap is
    tight."""
    has = memory.ask(table)
    if uses_rom is False:
        has = replace(has, rom=0)
    if not memory.is_tight(has, len(rom.make_image(package))):
        return package
    say(f"This chip has {has.most // 1024} KB of heap at most: it gets the application without line numbers and with"
        " short names. What bug.txt tells of a bug then names modules alone.")
    return build_package(package.board, is_lean=True)


def start(table: Table, package: Package, is_new: bool, say: Callable[[str], object], warn: Callable[[str], object],
          uses_rom: bool | None = None) -> list[str]:
    """Start what lies in files, then bring it into the ROM if it is to run from there; what the table prints.

    is_new: what deploy.deploy gave; uses_rom None: the chip's memory decides. UnusableInput, TableError.
    """
    deploying.drop_boot(table, warn)
    chooses_rom, warning = memory.choose(memory.ask(table), len(rom.make_image(package)))
    uses_rom = chooses_rom if uses_rom is None else uses_rom
    is_in_rom = not is_new and deploying.look(table).folder == deploying.ROM
    said = deploying.wait_until_up(table)
    if uses_rom and not is_in_rom:
        table.stop()
        rom.deploy(table, package, say)
        said = deploying.wait_until_up(table)
    if warning and not uses_rom:
        warn(warning)
    return said
