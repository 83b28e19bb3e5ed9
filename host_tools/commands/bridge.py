"""`cardtable bridge`: its command line; host_tools/club/wire/ does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import Number, PathName
from host_tools.commands._place import metrics_option


@click.command(short_help="Bring the results of tables to a tournament's director.")
@click.argument("event", metavar="TOURNAMENT")
@click.option("--broker", "url", default="mqtt://127.0.0.1:1883", show_default=True,
              help="mqtt://HOST:PORT, or mqtts://HOST:PORT with TLS.")
@click.option("--folder", "folders", multiple=True, type=PathName(path_type=Path, file_okay=False),
              help="A folder of records, such as `games` of virtual tables; can be said more than once.")
@click.option("--from", "ports", metavar="PORT", multiple=True, type=PathName(pipe_okay=False),
              help="A table at this serial port, or PORT=NAME; can be said more than once.")
@click.option("--usb", is_flag=True, help="All tables at USB ports.")
@click.option("--table", help="The table's name for records whose header has no `table:`.")
@click.option("--name", default="bridge", show_default=True, help="This bridge's name; each has its own.")
@click.option("--home", type=PathName(path_type=Path, file_okay=False), default=Path("bridge"), show_default=True,
              help="Keep what has no receipt yet here.")
@click.option("--account", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="File with name and password.")
@click.option("--trust", type=PathName(path_type=Path, dir_okay=False, pipe_okay=False),
              help="The broker's certificate, for mqtts.")
@click.option("--once", is_flag=True, help="End when every record that is there has its receipt.")
@click.option("--seconds", type=Number(0), default=60.0, show_default=True, help="With --once: wait so long at most.")
@metrics_option
@click.option("--again", is_flag=True, help="Offer records again that were refused or disputed.")
def command(event: str, url: str, folders: tuple[Path, ...], ports: tuple[str, ...], usb: bool, table: str | None,
            name: str, home: Path, account: Path | None, trust: Path | None, once: bool, seconds: float,
            metrics: int | None, again: bool) -> int:
    """Offer every sealed record to the director of TOURNAMENT until its receipt comes. Records come from folders, from
    virtual tables and from tables at USB ports; what has no receipt yet survives a restart. The set-up of a table's
    next game goes the other way: the table proposes it, and its players confirm it with OK.

    Exit codes: 0 every record has its receipt, 1 some wait, were refused or could not be offered, 2 something cannot be
    used.
    """
    import asyncio

    from host_tools.base import foreign
    from host_tools.base.errors import UnusableInput
    from host_tools.club.wire import bridge, topics
    from host_tools.club.wire.link import read_address
    from host_tools.club.wire.sources import give_names

    for what, said in (("TOURNAMENT", event), ("--name", name), ("--table", "none" if table is None else table)):
        if not topics.is_name(said):
            usual = "tournament" if what == "TOURNAMENT" else foreign.shorten(said)  # as `tournament attend` says it
            raise UnusableInput(f"{what} has a to z, 0 to 9, - and _, at most {topics.NAME_LIMIT} of them:"
                                f" {topics.to_name(said) or usual}?")
    for folder in folders if once else ():  # a service waits until it is there
        if not folder.is_dir():
            raise UnusableInput(f"{folder}: no such folder")
    found = give_names(ports)
    if usb and once:  # no later one is waited for
        from host_tools.maker.device.ports import list_ports

        found = {**dict.fromkeys(list_ports(), ""), **found}
    if not folders and not found and not again and (once or not usb):
        raise UnusableInput("nothing to bring: name a folder with --folder, a port with --from, or say --usb")
    wishes = bridge.Wishes(event, read_address(url, account, trust), home, name, list(folders), found,
                           usb and not once, table or "", again=again, once=once, patience_s=seconds,
                           metrics=metrics or 0)
    return asyncio.run(bridge.serve(wishes, foreign.note))
