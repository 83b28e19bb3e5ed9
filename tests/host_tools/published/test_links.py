"""The reader of a game that a link holds: seeded mutants and bombs give a record or nothing, and never an error."""

import base64
import json
import random
import subprocess
import zlib

from tests.conftest import ROOT
from tests.host_tools.test_spoilt_files import MUTANTS, RECORD, mutants

LINK = ROOT / "host_tools" / "look" / "published" / "page" / "link.js"
MOST_BYTES = 1024 * 1024


def pack(content):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return base64.urlsafe_b64encode(packer.compress(content) + packer.flush()).rstrip(b"=")


def read_links(links, folder):
    module = folder / "link.mjs"  # node takes a module by its name
    module.write_bytes(LINK.read_bytes())
    done = subprocess.run(["node", ROOT / "tests" / "host_tools" / "published" / "mutants.mjs", module],
                          input=b"\n".join(links), capture_output=True, check=True)
    assert done.stderr == b""
    told, is_other = json.loads(done.stdout)
    assert is_other == 0 and len(told) == len(links)
    return told


def test_r10_a_bomb_in_a_link_is_no_record(tmp_path):
    """100 KB of letters that are 60 MB; the largest record that is taken; one byte more."""
    told = read_links([pack(bytes(60_000_000)), pack(bytes(MOST_BYTES)), pack(bytes(MOST_BYTES + 1))], tmp_path)
    assert told == [0, MOST_BYTES, 0]


def test_r13_three_hundred_mutants_of_a_link(tmp_path):
    """Of the letters and of what they pack; without the ends of lines, which no address has."""
    whole = RECORD.read_bytes()
    spoilt = [link.replace(b"\n", b"") for link in mutants("link", pack(whole), range(MUTANTS))]
    rng = random.Random("packed")
    cut = [pack(whole)[:rng.randrange(len(pack(whole)))] for _ in range(20)]
    told = read_links([pack(whole), *spoilt, *cut, b"", b"A", b"===", "ж".encode()], tmp_path)
    assert told[0] == len(whole) and max(told) <= MOST_BYTES
    assert told[-24:] == [0] * 24 and told[1:].count(0) > MUTANTS // 2
