"""Keeps who plays which seat, and the secrets in the links that prove it, on disk: a link outlives this process."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from host_tools.base.alike import as_seen, find_alike
from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import OWNERS, write_file
from host_tools.base.wording import read_words
from host_tools.minds.players import LEVELS, find_player
from host_tools.minds.players.engine import register

FOLDER = Path(__file__).parent
FILE = "seating.json"
HERE = "here"  # played in the host's browser or terminal
PHONE = "phone"  # played in another browser, by the seat's link
OPEN = "open"  # free
BOT = "bot:"  # + the player's name
# One entry of `--seats`. A comma ends it, but for one in quotes, or behind a backslash, of an engine's command.
_ENTRY = re.compile(r"""\s*engine:(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^,'"\\]|['"\\].*)*|[^,]*""", re.DOTALL)
DEFAULT_BOT = "bot:beginner"
MOST_SEATS = 7
NAME_LIMIT = 20  # characters of a name
SECRET_BYTES = 16
KNOCK = 6  # of the 22 characters of a secret: they stand in the address of the WebSocket


def guest(language: str) -> str:
    """What a person is called who gives no name."""
    return read_words(FOLDER, "seats", language)["guest"]


def bot_names(language: str) -> list[str]:
    """What virtual players are called: the first sits beside a person who plays alone."""
    return read_words(FOLDER, "seats", language)["virtual"].split(", ")


CHAIR = {"who": str, "name": str, "secret": str, "stands_in": bool, "came?": bool}
KEPT = {"host": str, "join?": str, "common?": str, "chairs": {str: CHAIR}}


def new_secret() -> str:
    """The secret of a link."""
    return secrets.token_urlsafe(SECRET_BYTES)


@dataclass
class Chair:
    """One seat: its player, the player's name, and the secret that proves a browser to be that player's."""

    who: str = OPEN
    name: str = ""
    secret: str = field(default_factory=new_secret)
    stands_in: bool = False  # a virtual player plays until the seat's own link comes back
    came: bool = False  # its phone has been here: without it now it is gone, and not only late


def check_who(who: str) -> str:
    """Give `who` back if it can be one, a level as its player. UnusableInput."""
    if who in (HERE, PHONE, OPEN):
        return who
    if who.startswith(BOT):
        find_player(who[len(BOT) :])
        return BOT + LEVELS.get(who[len(BOT) :], who[len(BOT) :])
    raise UnusableInput(f"{who or 'nothing'} cannot sit down: say {HERE}, {PHONE}, {OPEN} or {BOT}NAME")


def check_name(name: str) -> str:
    """A name as a record can hold it. UnusableInput."""
    name = " ".join(name.split())
    if not name or len(name) > NAME_LIMIT or ";" in name or not name.isprintable():
        raise UnusableInput(f"a name has 1 to {NAME_LIMIT} characters and no semicolon")
    return name


def check_different(names: list[str]) -> None:
    """Two players with one name, or two that look the same, could not be told apart. UnusableInput."""
    alike = find_alike(names)
    if alike is not None:
        raise UnusableInput("two seats have the same name" if alike[0] == alike[1] else
                            f"{alike[0]} and {alike[1]} look the same: some letters are of another alphabet")


def check_kept(host: str, chairs: dict[int, Chair]) -> None:
    """Refuse seats that this program has not written. ValueError, or UnusableInput."""
    if not all(1 <= seat <= MOST_SEATS for seat in chairs):
        raise ValueError(chairs)
    for chair in chairs.values():
        check_who(chair.who)
        if chair.name:
            check_name(chair.name)
    if not all(is_secret(secret) for secret in (host, *(chair.secret for chair in chairs.values()))):
        raise ValueError(host)  # with an empty one nobody, or everybody, would be the host


def is_secret(text: str) -> bool:
    """Whether it can be the secret of a link."""
    return text.isascii() and SECRET_BYTES <= len(text) <= 64


class Seating:
    """`chairs[seat]` for seats 1 to 7, the host's secret, and that of the code by which phones find a free seat.
    `folder`: where it is kept; None: nowhere. Who is here now is kept nowhere."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = folder / FILE if folder else None
        self.host = new_secret()
        self.join = new_secret()
        self.common = new_secret()  # of the page whose reader is for all
        self.chairs = {seat: Chair() for seat in range(1, MOST_SEATS + 1)}
        self.changes = 0  # how often links began or ended to be somebody's: who shows pages looks round then
        self.present: set[int] = set()  # seats whose browser is connected
        self.crowded: set[int] = set()  # seats whose link is open on two phones
        self.proposals: dict[int, set[int]] = {}  # seat that a virtual player shall take over: the seats that agree
        self.waits_for_phones = self.begins_without = False  # the first card of a game waits until every phone has come
        self._load()

    def seats(self, who: str) -> list[int]:
        """The seats that such a one plays."""
        return [seat for seat, chair in self.chairs.items() if chair.who == who]

    def of_secret(self, secret: str) -> tuple[str, list[int]]:
        """(role, seats) of a browser with that secret: host, seat, join, common or public."""
        if not is_secret(secret):
            return "public", []
        if secrets.compare_digest(secret, self.host):
            return "host", self.seats(HERE)
        if secrets.compare_digest(secret, self.join):
            return "join", []
        if secrets.compare_digest(secret, self.common):
            return "common", []
        for seat, chair in self.chairs.items():
            if chair.who == PHONE and secrets.compare_digest(secret, chair.secret):
                return "seat", [seat]
        return "public", []

    def is_knock(self, text: str) -> bool:
        """Whether a right secret begins with that: who knocks so is heard, and has still to say all of it."""
        secrets_now = (self.host, self.join, self.common, *(self.chairs[seat].secret for seat in self.seats(PHONE)))
        return len(text) == KNOCK and any(secret.startswith(text) for secret in secrets_now)

    def sit(self, seat: int, who: str, name: str = "") -> None:
        """From now on `who` plays the seat. Any other link to it stops working. UnusableInput, OSError."""
        if seat not in self.chairs:
            raise UnusableInput(f"there is no seat {seat}")
        self.keep({seat: seated(self.chairs[seat], who, name)})

    def keep(self, changed: Mapping[int, Chair]) -> None:
        """These chairs are so from now on. They are written first: if that fails all is as it was. OSError."""
        self._write(self._path, {**self.chairs, **changed}, self.common)
        self.chairs.update(changed)
        self.changes += 1

    def write_aside(self, people: Sequence[tuple[str, str]]) -> Callable[[], None]:
        """Write that these (name, who) play seats 1 and on, in another file. To call what comes back lets it be so.
        UnusableInput, OSError."""
        changed = {seat: seated(self.chairs[seat], who, name) for seat, (name, who) in enumerate(people, 1)}
        aside = self._path and self._path.with_name(f"{FILE}.tmp")
        self._write(aside, {**self.chairs, **changed}, self.common)

        def take_over() -> None:
            if aside and self._path:
                aside.replace(self._path)
            self.chairs.update(changed)
            self.changes += 1

        return take_over

    def renew_common(self) -> None:
        """The page whose reader is for all has another link from now on. OSError."""
        common = new_secret()
        self._write(self._path, self.chairs, common)
        self.common = common
        self.changes += 1

    def note_came(self, seats: Collection[int]) -> None:
        """Somebody is here with the link of each of these seats: that is so even where it cannot be written down, and
        seen again by the next process."""
        late = [chair for chair in map(self.chairs.__getitem__, seats) if chair.stands_in or not chair.came]
        for chair in late:
            chair.came, chair.stands_in = True, False
        if late:
            with contextlib.suppress(OSError):
                self.save()

    def awaited(self, seats: int) -> list[int]:
        """Of the seats of a game, those whose phones have never come, while it waits for them."""
        if not self.waits_for_phones or self.begins_without:
            return []
        chairs = ((seat, self.chairs[seat]) for seat in range(1, seats + 1))
        return [seat for seat, chair in chairs if chair.who == PHONE and not chair.came and not chair.stands_in]

    def take(self, seat: int, name: str) -> str:
        """A phone that came by the code sits down; the link's secret that is its own now. UnusableInput, OSError."""
        chair = replace(seated(self.chairs[seat], PHONE, name), secret=new_secret(), came=True)
        self.keep({seat: chair})
        return chair.secret

    def stand_in(self, seat: int, is_in: bool) -> None:
        """A virtual player plays for a phone that is gone, or gives the seat back. OSError."""
        self.keep({seat: replace(self.chairs[seat], stands_in=is_in)})

    def is_bots(self, seat: int) -> bool:
        """Whether a virtual player acts for the seat now."""
        chair = self.chairs[seat]
        return chair.who.startswith(BOT) or chair.stands_in

    def bot_name(self, seat: int) -> str:
        """Which virtual player acts for the seat."""
        who = self.chairs[seat].who
        return (who if who.startswith(BOT) else DEFAULT_BOT)[len(BOT) :]

    def _load(self) -> None:
        """Take over what was kept; a file that says anything else is replaced, and all links are new."""
        if self._path is None:
            return
        try:
            kept = foreign.read_json(self._path, KEPT)
            names = [key.rstrip("?") for key in CHAIR]
            chairs = {int(seat): Chair(**{key: chair[key] for key in names if key in chair})
                      for seat, chair in kept["chairs"].items()}
            check_kept(kept["host"], chairs)
            self.join = kept["join"] if is_secret(kept.get("join", "")) else self.join
            self.common = kept["common"] if is_secret(kept.get("common", "")) else self.common
        except (UnusableInput, ValueError):
            self.save()
            return
        self.host = kept["host"]
        self.chairs.update(chairs)

    def save(self) -> None:
        """Keep it on disk. OSError."""
        self._write(self._path, self.chairs, self.common)

    def _write(self, path: Path | None, chairs: Mapping[int, Chair], common: str) -> None:
        """Into that file, for this computer's user alone: links are in it."""
        if path is None:
            return
        told = {seat: vars(chair) for seat, chair in sorted(chairs.items())}
        kept = {"host": self.host, "join": self.join, "common": common, "chairs": told}
        write_file(path, json.dumps(kept).encode(), OWNERS)


def seated(chair: Chair, who: str, name: str) -> Chair:
    """The chair once `who` plays there: anyone else than before has another link. UnusableInput."""
    who, name = check_who(who), check_name(name) if name else chair.name
    if who != chair.who:
        chair = replace(chair, secret=new_secret(), came=False)
    return replace(chair, who=who, name=name, stands_in=False)


def name_bots(people: list[tuple[str, str]], language: str) -> list[tuple[str, str]]:
    """The same (name, who) of each seat, in which no virtual player has a person's name: it takes the first free one.
    UnusableInput if two people have the same name."""
    people_here = [name for name, who in people if not who.startswith(BOT)]
    check_different(people_here)
    taken = set(map(as_seen, people_here))
    others = {as_seen(other) for other, _ in people}
    named = []
    for name, who in people:
        if who.startswith(BOT):
            if as_seen(name) in taken:
                name = next(free for free in bot_names(language) if as_seen(free) not in taken | others)
            taken.add(as_seen(name))
        named.append((name, who))
    return named


def split_entries(text: str) -> list[str]:
    """The entries of `--seats`, one a seat."""
    found, at = [], 0
    while at <= len(text):
        one = _ENTRY.match(text, at)
        assert one is not None  # an entry may be empty
        found.append(one[0].strip())
        at = one.end() + 1
    return found


def read_seats(text: str, language: str) -> list[tuple[str, str]]:
    """(name, who) of each seat of `--seats NAME,bot,bot:beginner,phone:NAME,open,engine:COMMAND`. UnusableInput.

    A bare name sits here, `bot` is the beginner, `phone` or `phone:NAME` has a link of its own, a command is started as
    an engine: with its commas in quotes, for a comma ends a seat. `bot` and `open` may be said in that language, as at
    a terminal.
    """
    from host_tools.play.wording import Wording  # not above: the page without a server has no use for it

    words = Wording(language)
    found: list[tuple[str, str]] = []
    entries = split_entries(text)
    for number, word in enumerate(entries):
        kind, _, rest = word.partition(":")
        kind = words.means(kind, "bot", "open") or kind
        if kind == "bot":
            found.append((bot_names(language)[number % MOST_SEATS], check_who(BOT + (rest or DEFAULT_BOT[len(BOT) :]))))
        elif kind == PHONE:
            found.append((check_name(rest or f"{guest(language)} {number + 1}"), PHONE))
        elif kind == "engine":
            try:
                player = register(rest)
            except UnusableInput as wrong:
                if number + 1 == len(entries):
                    raise
                raise UnusableInput(f"{wrong}. A comma ends a seat of --seats: one of the command's own stands in"
                                    " quotes") from wrong
            found.append((check_name(player.removeprefix("engine:")), check_who(BOT + player)))
        elif kind == OPEN and not rest:
            found.append((f"{guest(language)} {number + 1}", OPEN))
        else:
            found.append((check_name(word or guest(language)), HERE))
    if not 2 <= len(found) <= MOST_SEATS:
        raise UnusableInput(f"a table has 2 to {MOST_SEATS} seats, not {len(found)}")
    return name_bots(found, language)
