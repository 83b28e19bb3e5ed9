"""A journal whose record is sealed: what Sealed hands on to its journal, and the seal that the power took (T9, T12)."""

from cardtable.engine.reading import read_header
from cardtable.record.seal import SEAL_LINES, Seal, Sealed

from tests.app.test_seal import HEADER, KEY, played


class Journal:
    """Takes down what it is told; `is_kept` while something is not on flash."""

    def __init__(self):
        self.told = []
        self.is_kept = False

    def open(self, header):
        self.told.append("open")
        return True

    def write(self, line):
        self.told.append(line)
        return not self.is_kept

    def keep(self, line):
        self.told.append("kept " + line)

    def is_durable(self):
        return not self.is_kept

    def flush(self):
        return not self.is_kept

    def go_on(self, name, page, spares):
        self.told.append("%s %d %d" % (name, page, spares))

    def prepare(self):
        return not self.is_kept

    def witness(self, lines):
        self.told.append(lines)
        return not self.is_kept

    def counts(self):
        return "1 pages late, 2 faults"

    def put_away(self):
        return iter(("a step",))


def opened():
    """A sealed journal with a header of six lines, and the one beneath, which has told nothing yet."""
    sealed = Sealed(Journal(), KEY)
    assert sealed.digest == ""
    sealed.open(read_header(iter(HEADER))[0])
    del sealed.journal.told[:]
    return sealed, sealed.journal


def test_t12_a_seal_begins_before_its_first_line():
    """Nothing is due; from the first line on it counts."""
    seal = Seal(KEY)
    assert seal.count == 0 and not seal.is_due()
    for _ in range(SEAL_LINES):
        assert not seal.is_due()
        seal.take(b"0.0 1 draw 6S")
    assert seal.is_due() and seal.write().startswith("~ seal 1-%d " % SEAL_LINES)


def test_what_the_seal_has_no_part_in_is_the_journals_answer():
    sealed, journal = opened()
    assert sealed.prepare() is True and sealed.flush() is True
    journal.is_kept = True
    assert sealed.prepare() is False and sealed.flush() is False
    assert sealed.counts() == "1 pages late, 2 faults" and list(sealed.put_away()) == ["a step"]
    sealed.go_on("games/0007", 3, 1)
    assert journal.told == ["games/0007 3 1"]


def test_t13_only_what_is_on_flash_is_noted_outside():
    """A note of lines that are still owed would call them lost after a power cut; a game that is over has none."""
    sealed, journal = opened()
    sealed.write("0.0 1 draw 6S")
    del journal.told[:]
    assert sealed.witness() is True and sealed.witness(True) is True
    assert journal.told == [len(HEADER) + 1, 0]
    journal.is_kept = True
    assert sealed.witness() is False and sealed.witness(True) is False and journal.told == [len(HEADER) + 1, 0]


def test_t12_lines_that_are_kept_are_sealed_as_those_that_are_written():
    """The same record comes of both."""
    lines = played(SEAL_LINES)[0].split("\n")[len(HEADER) : -1]
    sealed, journal = opened()
    for line in lines:
        if not line.startswith("~"):
            sealed.keep(line)
    kept = [line[len("kept ") :] for line in journal.told]
    assert "\n".join(kept).split("\n") == lines


def test_t9_t12_the_last_seal_that_the_power_took_is_made_up_for():
    """The result was durable, its seal was not: it comes alone, with the letters that the table would have shown."""
    text, whole = played(SEAL_LINES + 3)
    lines = text.split("\n")[:-1]
    again = Sealed(Journal(), KEY)
    again.resume([line.encode() for line in lines[:-1]])
    assert lines[-2].startswith("result:") and again.close() is True
    assert again.journal.told == lines[-1:] and again.seal.digest() == whole.digest
    assert again.seal.count == len(lines)
    again.journal.is_kept = True
    assert again.close() is False
