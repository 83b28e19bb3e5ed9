"""Every file on the flash that a person may write, spoilt by chance in mid-game: no bug, no prompt, no game lost."""

import random

import pytest

from cardtable.catalogue import find_game
from cardtable.engine.reading import read_header
from cardtable.engine.record import RecordError, SetupError
from cardtable.engine.setup import set_up
from host_tools.virtual.fingers import deck_lines
from tests.host_tools.at_table import SETUP
from tests.host_tools.test_attack import KEY, OPEN, SHUT, STRANGER, Evening

SEEDS = 2  # for each file; more by hand: each takes two seconds
FILES = {
    "setup.txt": SETUP,
    "next.txt": SETUP,
    "last.txt": SETUP.replace("Boris", "Vera"),
    "deck.txt": "".join(deck_lines()),
    "deck2.txt": "; 36 cards\n04000000000001 6S\n04000000000002 7S\n",
    "tags.txt": KEY["tags.txt"] + "04AA000000000A player Vera\n04AA000000000B setup transfer\n",
    "profiles.txt": "; ours\nclub: durak transfer\nother: bailiff\n",
    "language.txt": "ru\n",
    "bug.txt": "bugs: 2\nboot: reset\nwhat happened:\nstate: 00\nValueError: x\ntries: 1\n",
    "last_game.txt": "0001 000009\n",
    "key.bin": "k" * 32,
}
FOLDERS = "deck2.txt", "profiles.txt", "last.txt", "bug.txt"


def spoil(rng, data):
    """The bytes, changed as an editor, a wrong encoding, a broken copy or a flash changes them."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(data) + 1)
        how = rng.randrange(9)
        if how == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif how == 1:
            del data[at : at + rng.randrange(1, 20)]
        elif how == 2:
            data[at:at] = rng.randbytes(rng.randrange(1, 20))
        elif how == 3:
            data[at:at] = rng.choice([b"\n", b"\r\n", b"\0", b":", b";", b" ", b"\xef\xbb\xbf", b"\xd0", b"9" * 40])
        elif how == 4:
            data[at:at] = bytes(rng.choice(b"x0;: ") for _ in range(1)) * rng.choice((500, 8000, 100_000))
        elif how == 5:
            lines = data.splitlines(True)
            rng.shuffle(lines)
            data = bytearray(b"".join(lines))
        elif how == 6:
            data += data[:at]
        elif how == 7:
            data = bytearray(data.replace(b"\n", b""))
        else:
            data = bytearray(data.decode(errors="replace").encode("utf-16"))
    return bytes(data)


def is_playable(data):
    """Whether these bytes are a set-up of a game that somebody may want."""
    try:
        header, _ = read_header(iter(data.decode().replace("\r\n", "\n").splitlines(True)))
        set_up(find_game(header.game[0]), header)
    except (RecordError, SetupError, UnicodeError):
        return False
    return True


# Each file once for every change; where a folder stands in its place the first time, twice.
CASES = [
    pytest.param(name, seed, marks=[pytest.mark.everything] if seed and name not in FOLDERS else [])
    for name in FILES for seed in range(SEEDS)
]


@pytest.mark.parametrize(("name", "seed"), CASES)
def test_t11_a_spoilt_file_costs_no_game_and_opens_nothing(name, seed, monkeypatch):
    """D1-D5, A2-A5: what was tapped is there, nobody gets in, and no file makes a bug."""
    rng = random.Random(f"{name} {seed}")
    data = spoil(rng, FILES[name].encode())

    def act(flash):
        if name in FOLDERS and seed == 0:
            (flash / name).unlink(missing_ok=True)
            (flash / name).mkdir()
        else:
            (flash / name).write_bytes(data)

    evening = Evening(monkeypatch, act, [STRANGER] * 3)
    assert not [line for line in evening.table.says() if line.startswith("bug: ")], data[:200]
    if evening.seen == [OPEN, ["0001.rec", "0002"]]:
        assert name in ("setup.txt", "next.txt") and is_playable(data), data[:200]
    else:
        assert evening.seen == [SHUT, ["0001"]], (data[:200], evening.screen)
