"""`cardtable broker`: its command line; host_tools/club/wire/ does the work."""

from pathlib import Path

import click

from host_tools.base.foreign import PathName

_HOME = click.option("--home", type=PathName(path_type=Path, file_okay=False), default=Path("broker"),
                     show_default=True, help="The broker's folder: accounts and certificate.")


@click.group(short_help="Run the broker through which tables report.")
def command() -> None:
    """Run an MQTT broker for the tables of an evening, and make its accounts and its certificate."""


@command.command()
@_HOME
@click.option("--engine", type=click.Choice(["embedded", "mosquitto"]), default="embedded", show_default=True,
              help="The one inside Cardtable, or Debian's.")
@click.option("--port", type=click.IntRange(1, 65535), help="By default 1883, with TLS 8883.")
@click.option("--tls", is_flag=True, help="Speak TLS, with the certificate in the broker's folder.")
@click.option("--lan", is_flag=True, help="Serve your own network; it takes --tls and accounts.")
def start(home: Path, engine: str, port: int | None, tls: bool, lan: bool) -> int:
    """Run the broker until Ctrl-C. Without --lan it serves this computer alone.

    Exit codes: 0 ended, 1 it has crashed, 2 it cannot start.
    """
    import asyncio

    from host_tools.base import foreign
    from host_tools.club.wire import broker

    return asyncio.run(broker.serve(broker.Wishes(home, engine, port or 0, lan, tls), foreign.note))


@command.command()
@click.argument("name")
@click.option("--role", type=click.Choice(["table", "bridge", "director"]), default="table", show_default=True)
@_HOME
def account(name: str, role: str, home: Path) -> None:
    """Make an account with a random password, or give it a new one. The file NAME.account is for the machine that
    connects with it. Start the broker again afterwards."""
    from host_tools.base import foreign
    from host_tools.club.wire import accounts

    foreign.say(str(accounts.add(home, name, role)))


@command.command()
@click.argument("names", metavar="[HOST]...", nargs=-1)
@_HOME
def certificate(names: tuple[str, ...], home: Path) -> None:
    """Make a certificate for this computer and these further host names or addresses. Copy broker.pem to each table
    and bridge; broker.key stays here."""
    from host_tools.base import foreign
    from host_tools.club.wire import certificate

    foreign.say(str(certificate.make(home, [*certificate.own_names(), *names])))
