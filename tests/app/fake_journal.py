"""A journal that does as a test says; a file of its own, because MicroPython reads a file whole."""


class Journal:
    """Lines that are on flash, and those that are kept while it is full."""

    def __init__(self):
        self.is_full = False
        self.lines = []
        self.kept = []
        self.prepared = 0
        self.is_put_away = False
        self.digest = "ACDE FHJK MNPR"

    def open(self, header) -> bool:
        return self.write("header")

    def write(self, line: str) -> bool:
        self.keep(line)
        return self.flush()

    def keep(self, line: str) -> None:
        self.kept.append(line)

    def flush(self) -> bool:
        if self.is_full:
            return False
        self.lines += self.kept
        self.kept = []
        return True

    def is_durable(self) -> bool:
        return not self.kept

    def go_on(self, name: str, page: int, spares: int) -> None:
        self.lines.append("%s behind page %d, %d spare" % (name, page, spares))

    def witness(self, is_over: bool = False) -> bool:
        return True

    def prepare(self) -> bool:
        self.prepared += 1
        return True

    def counts(self) -> str:
        return "0 pages late, 0 faults"

    def put_away(self):
        yield
        self.is_put_away = True
