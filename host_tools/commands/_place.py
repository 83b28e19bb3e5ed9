"""The options that commands share: the language, processes, how pages are served, and what is kept in a backup."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from host_tools.base import foreign
from host_tools.base.languages import list_languages


def place_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--address and --https."""
    function = click.option(
        "--https", type=foreign.PathName(path_type=Path, file_okay=False), metavar="FOLDER",
        help="Speak TLS with the certificate in this folder: cardtable broker certificate makes one that signs itself.",
    )(function)
    return click.option("--address", default=None, metavar="URL",
                        help="The name that a proxy on this computer gives the pages: https://cup.example.org")(function)


SEED_BITS = 128  # of a seed that nobody has named: nobody finds it from the cards of a game, either
OWN = ":own:"  # stands for the certificate that the table makes


def real_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--address; --https, with a folder or without one; --readers."""
    for option in (
        click.option("--readers", is_flag=True,
                     help="Play with real cards: all USB readers that PC/SC knows read them."),
        click.option("--https", type=foreign.PathName(path_type=Path, file_okay=False), metavar="[FOLDER]",
                     is_flag=False, flag_value=OWN,
                     help="Play with real cards that phones read: serve your network by HTTPS, with a certificate that"
                          " the table makes. With a FOLDER: virtual cards as usual, and the certificate in it."),
        click.option("--address", default=None, metavar="URL",
                     help="The name that a proxy on this computer gives the pages: https://cup.example.org"),
    ):
        function = option(function)
    return function


def metrics_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """--metrics, of a service without pages."""
    return click.option("--metrics", type=click.IntRange(1, 65535), metavar="PORT",
                        help="Answer /health, and /metrics for Prometheus, at this port to programs of this"
                             " computer.")(function)


def language_option(help: str | None = None) -> Callable[..., Any]:
    """--language: one of those that lie there."""
    return click.option("--language", type=click.Choice(list_languages()), default="en", show_default=True, help=help)


def jobs_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """--jobs: so many processes."""
    return click.option("--jobs", type=click.IntRange(0, 256), default=0, metavar="N",
                        help="How many processes; 0, the default, is one on each core.")(function)


def page_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """All options of a page that is served: --language, --port, --lan, --address, --https and --no-browser."""
    for option in (
        click.option("--no-browser", is_flag=True, help="Open no browser."),
        place_options,
        click.option("--lan", is_flag=True, help="Serve your own network, for phones and a television."),
        click.option("--port", type=click.IntRange(1, 65535),
                     help="Port of the pages; else the first free one from 8137."),
        language_option(),
    ):
        function = option(function)
    return function


def kept_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """--games, --database and --keys: what a backup keeps."""
    for option in (
        click.option("--keys", type=foreign.PathName(path_type=Path, file_okay=False), metavar="FOLDER",
                     help="Of a broker or a bridge: accounts, certificate, keys."),
        click.option("--database", metavar="FILE|URL", type=foreign.PathName(dir_okay=False, pipe_okay=False),
                     help="Of a tournament: SQLite, or postgresql://..."),
        click.option("--games", type=foreign.PathName(path_type=Path, file_okay=False), metavar="FOLDER",
                     help="Of tables: their records, and the game that goes on."),
    ):
        function = option(function)
    return function


def make_place(port: int | None, lan: bool, address: str | None, https: Path | None) -> Any:
    """The place of these wishes. UnusableInput."""
    from host_tools.play.web.place import Place, read_address

    return Place(port or 0, lan, "" if address is None else read_address(address), https)
