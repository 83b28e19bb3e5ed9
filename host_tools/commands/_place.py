"""The options of every command that serves pages: under which name, and with which certificate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from host_tools.base import foreign


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--address and --https."""
    function = click.option(
        "--https", type=foreign.PathName(path_type=Path, file_okay=False), metavar="FOLDER",
        help="Speak TLS with the certificate in this folder: cardtable broker certificate makes one that signs itself.",
    )(function)
    return click.option("--address", default=None, metavar="URL",
                        help="The name that a proxy on this computer gives the pages: https://cup.example.org")(function)


def make_place(port: int | None, lan: bool, address: str | None, https: Path | None) -> Any:
    """The place of these wishes. UnusableInput."""
    from host_tools.play.web.place import Place, read_address

    return Place(port or 0, lan, "" if address is None else read_address(address), https)
