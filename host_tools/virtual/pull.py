"""Pulls the records off a device's flash that is a folder of this computer."""

from pathlib import Path

from cardtable.between import archive
from cardtable.record.journal import FOLDER
from host_tools.base.errors import UnusableInput


def pull_records(flash: Path) -> list[Path]:
    """Every record on that flash, the oldest first, each as one text; a game that was going on is ended there.

    UnusableInput names the folder of pieces that are no record.
    """
    folder = str(flash / FOLDER)
    for name in archive.list_names(folder):
        if len(name) == 4:
            try:
                for _ in archive.put_away(f"{folder}/{name}"):
                    pass
            except archive.pieces.Damage as damage:
                raise UnusableInput(str(damage)) from damage
    return sorted(Path(folder).glob("*" + archive.RECORD))
