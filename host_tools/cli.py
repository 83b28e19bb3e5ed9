"""The host's one program, `cardtable`: finds and runs its sub-commands.

A sub-command is one file, host_tools/commands/NAME.py (`-` in its name is `_` in the file's), with a click
command called `command`. It imports what it needs inside of that function, so that `--help` stays quick; it
returns its exit code (0 right, 1 wrong; nothing is 0) and raises UnusableInput, which is 2.
"""

import errno
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from host_tools.base import foreign, on_host
from host_tools.base.errors import UnusableInput
from host_tools.base.extras import say_what_lacks

RIGHT = 0
WRONG = 1
UNUSABLE = 2
INTERRUPTED = 130
# The disk, or the place where standard output goes, takes no more: no file is to blame, and nothing of ours.
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)

HERE = Path(__file__).parent
# The second is for developers, and not in a wheel.
COMMANDS = {folder: HERE.joinpath(*folder.split(".")) for folder in ("commands", "lab.commands")}


# Second names: `replay` judges games again and shows none, `view` plays one again.
BETTER = {"judge": "replay", "playback": "view"}


class Commands(click.Group):
    """The group whose sub-commands are the files of these folders."""

    def find(self) -> dict[str, str]:
        """Each sub-command's module, by the sub-command's name."""
        return {
            file.stem.replace("_", "-"): f"host_tools.{name}.{file.stem}"
            for name, folder in COMMANDS.items() for file in folder.glob("[a-z]*.py")
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.find())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = BETTER.get(cmd_name, cmd_name)
        if not name.replace("-", "").isalpha() or not name.islower():
            return None
        stem = name.replace("-", "_")  # asked once a command of `--help`: no folder is listed again
        found = [folder for folder, path in COMMANDS.items() if (path / f"{stem}.py").is_file()]
        return importlib.import_module(f"host_tools.{found[0]}.{stem}").command if found else None


def say_version(ctx: click.Context, _: click.Parameter, is_wanted: bool) -> None:
    """Of this program and of the firmware that it brings: they are one project."""
    if is_wanted:
        from cardtable import version

        foreign.say(f"cardtable {version.FIRMWARE}: {version.describe()}")
        ctx.exit()


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option("--version", is_flag=True, expose_value=False, is_eager=True, callback=say_version,
              help="Show the version.")
def cardtable() -> None:
    """A card table that judges the game: its tools for this computer.

    Exit codes: 0 right, 1 wrong, 2 unusable input.
    """


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit code. Unusable input is one sentence on standard error."""
    on_host.prepare()
    try:
        return cardtable.main(args=arguments, prog_name="cardtable", standalone_mode=False) or RIGHT
    except UnusableInput as unusable:
        foreign.say(str(unusable), err=True)
    except ModuleNotFoundError as missing:
        lacks = say_what_lacks(missing.name or "", "this command")
        if not lacks:
            raise
        foreign.say(lacks, err=True)
    except click.exceptions.NoArgsIsHelpError as missing:
        foreign.say_lines(missing.format_message(), err=True)
    except click.ClickException as wrong:
        foreign.say("cardtable: " + wrong.format_message().replace("\n", " "), err=True)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except OSError as wrong:
        # A path that cannot be used; what has no name is no path of the caller's.
        if wrong.filename is None and wrong.errno not in FULL:
            raise
        where = "" if wrong.filename is None else f"{os.fsdecode(wrong.filename)}: "
        foreign.say(f"{where}{wrong.strerror}", err=True)
    return UNUSABLE


def open_streams() -> None:
    """A stream that the caller has closed leads nowhere: the next file that is opened would have its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def main() -> int:
    """The entry point of `cardtable` in .venv/bin."""
    open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A record's text is shown as it is, even if the terminal cannot write all of it.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    code = RIGHT
    try:
        code = run()
        sys.stdout.flush()
    except OSError as wrong:
        is_left = isinstance(wrong, BrokenPipeError)  # the reader (`head`, `less`) has seen enough
        if not is_left and wrong.errno not in FULL:
            raise
        if not is_left and code != UNUSABLE:  # else it was said
            foreign.say(f"standard output: {wrong.strerror}", err=True)
        # Nothing more can be said there, not even as the process ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = WRONG if is_left else UNUSABLE
    return code


if __name__ == "__main__":
    sys.exit(main())
