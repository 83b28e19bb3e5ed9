"""The seal of a record: the chain, the tags, and the journal that writes them; every number by a second hand."""

import hashlib
import os

from cardtable.between import keys as keys_module
from cardtable.between.keys import KEY_BYTES, KEY_FILE, give_nonce, read_key
from cardtable.engine.reading import read_header
from cardtable.engine.setup import SetupError
from cardtable.record.seal import GROUPS, LETTERS, SEAL_LINES, Sealed, Signer, digest_words, find_nonce, link

KEY = bytes(range(32))
HEADER = ["cardtable 1\n", "game: durak\n", "seats: Anna; Борис\n", "dealer: 2\n", "nonce: 00ff\n", "\n"]


class Journal:
    """Takes down what is written; `is_full` makes it fail."""

    def __init__(self):
        self.text = ""
        self.is_full = False

    def open(self, header):
        self.text = "\n".join(header.lines()) + "\n"
        return True

    def write(self, line):
        self.text += line + "\n"
        return not self.is_full

    def is_durable(self):
        return not self.is_full

    def flush(self):
        return not self.is_full


def played(count, key=KEY):
    """A sealed record of so many events and its result."""
    journal = Journal()
    sealed = Sealed(journal, key)
    sealed.open(read_header(iter(HEADER))[0])
    for number in range(count):
        sealed.write("%d.0 1 draw 6S" % number)
    sealed.write("result: fool 2")
    return journal.text, sealed


def test_t12_the_signature_is_hmac_sha_256():
    """RFC 4231, test cases 1 and 2."""
    assert Signer(b"\x0b" * 20).sign(b"Hi There").hex() == (
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    )
    assert Signer(b"Jefe").sign(b"what do ya want for nothing?").hex() == (
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    )


def test_t12_the_chain_runs_over_every_line():
    """Each link is the hash of the one before and the line with its end."""
    first = hashlib.sha256(bytes(16) + b"cardtable 1\n").digest()[:16]
    assert link(bytes(16), b"cardtable 1") == first
    assert link(first, b"") == hashlib.sha256(first + b"\n").digest()[:16]


def test_t12_a_seal_behind_so_many_lines_and_one_behind_the_result():
    """Its numbers are those of the record's lines, as an editor shows them; seals are lines too, and no links."""
    lines = played(SEAL_LINES)[0].split("\n")
    seals = [number for number in range(len(lines)) if lines[number].startswith("~")]
    assert seals == [SEAL_LINES, SEAL_LINES + 1 + len(HEADER) + 1]
    assert lines[seals[0]].split()[:3] == ["~", "seal", "1-%d" % SEAL_LINES]
    assert lines[seals[1]].split()[:3] == ["~", "end", "%d-%d" % (seals[0] + 2, seals[1])]
    assert lines[-1] == "" and seals[1] == len(lines) - 2
    chain = bytes(16)
    for number in range(seals[1]):
        if number != seals[0]:
            chain = link(chain, lines[number].encode())
        if number == SEAL_LINES - 1:
            assert lines[seals[0]].split()[3] == chain.hex()
    assert lines[seals[1]].split()[3] == chain.hex()


def test_t12_a_tag_is_of_this_key_this_game_and_this_place():
    """Another key, another nonce, other numbers, another kind: another tag."""
    words = played(3)[0].split("\n")[-2].split()
    game = Signer(Signer(KEY).sign(b"nonce: 00ff"))
    assert words[4] == game.sign(" ".join(words[1:4]).encode())[:16].hex()
    assert played(3, bytes(32))[0].split("\n")[-2].split()[:4] == words[:4]
    assert played(3, bytes(32))[0].split("\n")[-2].split()[4] != words[4]
    for line in (b"nonce: 00fe", b""):
        assert Signer(Signer(KEY).sign(line)).sign(" ".join(words[1:4]).encode())[:16].hex() != words[4]


def test_t9_t12_the_seal_goes_on_where_the_power_failed():
    """Wherever the record ends: read again, it is sealed as if nothing had been."""
    whole, sealed = played(2 * SEAL_LINES)
    lines = whole.encode().split(b"\n")[:-1]
    for end in range(len(HEADER), len(lines)):
        again = Sealed(Journal(), KEY)
        again.resume([line + b"\n" for line in lines[:end]])
        for line in lines[end:]:
            if not line.startswith(b"~"):
                again.write(line.decode())
        if lines[end - 1].startswith(b"result:") or lines[end].startswith(b"~ seal"):
            continue  # a line without the seal that was to come with it: see the next test
        assert again.journal.text.encode() == b"\n".join(lines[end:] + [b""]), end
        assert again.digest == sealed.digest


def test_t12_a_record_that_is_opened_again_begins_its_chain_anew():
    """T12: a header that could not be written is opened once more, under the same seal."""
    text, sealed = played(SEAL_LINES)
    again = Sealed(Journal(), KEY)
    again.open(read_header(iter(HEADER))[0])
    again.write("0.0 1 draw 6S")
    again.journal = Journal()
    again.open(read_header(iter(HEADER))[0])
    for number in range(SEAL_LINES):
        again.write("%d.0 1 draw 6S" % number)
    again.write("result: fool 2")
    assert (again.journal.text, again.digest) == (text, sealed.digest)


def test_t9_t12_a_seal_that_the_power_took_comes_with_the_next_line():
    """It is late, not lost."""
    lines = played(2 * SEAL_LINES)[0].encode().split(b"\n")
    again = Sealed(Journal(), KEY)
    again.resume(lines[:SEAL_LINES])
    again.write("99.0 1 draw 6S")
    seal = again.journal.text.split("\n")[1].split()
    assert seal[:3] == ["~", "seal", "1-%d" % (SEAL_LINES + 1)]


def test_t13_a_full_flash_is_the_journals_own_trouble():
    """The seal answers as the journal does."""
    sealed = Sealed(Journal(), KEY)
    sealed.open(read_header(iter(HEADER))[0])
    assert sealed.write("0.0 1 draw 6S") and sealed.is_durable() and sealed.flush()
    sealed.journal.is_full = True
    assert not sealed.write("0.1 1 draw 7S") and not sealed.is_durable() and not sealed.flush()


def test_t12_the_digest_is_a_few_letters_that_none_mistakes():
    """Groups of four; none that looks like another; another record, another digest."""
    text, sealed = played(5)
    groups = sealed.digest.split(" ")
    assert len(groups) == GROUPS and [len(group) for group in groups] == [4] * GROUPS
    assert not [letter for letter in sealed.digest if letter not in LETTERS + " "]
    assert not [letter for letter in "0O1ILBGQSUZ" if letter in LETTERS] and len(LETTERS) == 25
    chain = bytes.fromhex(text.split("\n")[-2].split()[3])
    assert sealed.digest == digest_words(chain) == digest_of(chain)
    assert played(6)[1].digest != sealed.digest


def digest_of(chain):
    """The same, otherwise."""
    number = int.from_bytes(hashlib.sha256(b"digest" + chain).digest()[:8], "big")
    letters = ""
    while len(letters) < 4 * GROUPS:
        number, letter = divmod(number, 25)
        letters += LETTERS[letter]
    return " ".join([letters[at : at + 4] for at in range(0, len(letters), 4)])


def test_t12_no_digest_before_the_result():
    """There is nothing to write down yet, and a new game has none of the last one."""
    sealed = played(3)[1]
    assert sealed.digest
    sealed.open(read_header(iter(HEADER))[0])
    assert sealed.digest == ""
    sealed.write("0.0 1 draw 6S")
    assert sealed.digest == ""


class File:
    """One file, or none."""

    def __init__(self, content=None):
        self.content = content
        self.writes = 0
        self.is_full = False
        self.error = 0

    def open(self, name, mode):
        self.is_beside = mode == "wb"
        assert (name == KEY_FILE) != self.is_beside
        if mode == "rb" and self.error:
            raise OSError(self.error)
        if mode == "rb" and self.content is None:
            raise OSError(2)
        return self

    def rename(self, old, new):
        assert new == KEY_FILE
        self.content = self.beside

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def read(self, size):
        return self.content[:size]

    def write(self, data):
        self.writes += 1
        if self.is_full:
            return 0
        self.beside = data
        return len(data)

    urandom = os.urandom


def key_from(file):
    """What the table's key is with that file."""
    keys_module.open = file.open
    keys_module.os = file
    try:
        return read_key()
    finally:
        del keys_module.open
        keys_module.os = os


def test_t12_a_table_makes_its_key_once():
    """At the first boot, beside its place."""
    file = File()
    key = key_from(file)
    assert len(key) == KEY_BYTES and file.content == key and file.writes == 1
    assert key_from(file) == key and file.writes == 1
    assert key_from(File()) != key


def test_t12_a_key_that_cannot_be_used_is_named_and_never_replaced():
    """B3: what was sealed with it would fit no copy."""
    for torn, error, words in ((b"", 0, "has not 32"), (b"x" * 31, 0, "has not 32"), (b"x" * 33, 0, "has not 32"),
                               (b"x" * 32, 5, "cannot be read")):
        file = File(torn)
        file.error = error
        try:
            key_from(file)
        except SetupError as wrong:
            assert str(wrong).startswith("key.bin") and words in str(wrong)
        else:
            raise AssertionError("a key was made")
        assert file.content == torn and file.writes == 0


def test_t12_a_table_that_cannot_keep_its_key_says_so():
    """A record sealed with a key that is gone at the next boot would be nobody's."""
    file = File()
    file.is_full = True
    try:
        key_from(file)
    except SetupError as wrong:
        assert str(wrong) == "key.bin cannot be written"
    else:
        raise AssertionError("a key that nobody keeps")


def test_t12_each_game_has_a_nonce_of_its_own():
    """Also with a set-up that was copied from a record, whose nonce everybody knows."""
    header = read_header(iter(HEADER))[0]
    assert find_nonce(header) == b"00ff"
    seen = []
    for _ in range(3):
        give_nonce(header, KEY)
        seen.append(find_nonce(header))
        assert len(seen[-1]) == 32 and [key[0] for key in header.keys].count("nonce") == 1
    assert len(tuple(set(seen))) == 3
    header.keys = [("game", "durak")]
    assert find_nonce(header) == b""


def test_t12_a_nonce_is_secret_though_the_chance_is_poor():
    """If somebody knows what the chip draws, the key is still between."""
    drawn = []

    class Poor:
        """A chance that draws what everybody knows."""

        def urandom(self, count):
            drawn.append(count)
            return bytes(count)

    header = read_header(iter(HEADER))[0]
    keys_module.os = Poor()
    try:
        give_nonce(header, KEY)
        one = find_nonce(header)
        give_nonce(header, bytes(32))
        assert find_nonce(header) != one and drawn == [KEY_BYTES, KEY_BYTES]
    finally:
        keys_module.os = os
