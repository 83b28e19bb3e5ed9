"""Reads network.txt: the Wi-Fi, the broker, and who this table is there. A table without that file has no network."""

from cardtable.between.files import read_lines
from cardtable.between.setup_files import NETWORK_FILE
from cardtable.engine.record import RecordError
from cardtable.net.topics import is_name

PLAIN_PORT = 1883
TLS_PORT = 8883
NEEDED = ("ssid", "broker", "tournament")
KEYS = ("ssid", "password", "broker", "account", "table", "tournament")


class Settings:
    """What the file says; nothing here is ever shown."""

    def __init__(self) -> None:
        self.ssid = ""
        self.password = ""  # of the Wi-Fi; empty: it is open
        self.host = ""
        self.port = 0
        self.is_tls = False
        self.user = ""
        self.secret = ""  # the account's password
        self.event = ""  # the tournament, and this table's name there
        self.table = ""


def read_settings() -> Settings:
    """What this table's file says. SetupError names its wrong line."""
    return read_lines(NETWORK_FILE, take)


def take(lines) -> Settings:
    """What these lines say. RecordError; it repeats no password."""
    said: dict = {}
    number = 0
    for line in lines:
        number += 1
        key, colon, value = line.partition(":")
        key = key.strip()
        if not key or key[0] == ";":
            continue
        if not colon or key not in KEYS:
            raise RecordError(number, "it takes lines `KEY: VALUE` with one of: " + " ".join(KEYS))
        if key in said:
            raise RecordError(number, "%s: is said twice" % key)
        said[key] = value.strip(), number
    for key in NEEDED:
        if not said.get(key, ("",))[0]:
            raise RecordError(0, "it has no line %s: ..." % key)
    return make(said)


def make(said: dict) -> Settings:
    """Settings of {key: (value, number of its line)}. RecordError."""
    found = Settings()
    found.ssid = said["ssid"][0]
    found.password = said.get("password", ("",))[0]
    take_broker(found, said["broker"][0], said["broker"][1])
    account, number = said.get("account", ("", 0))
    words = account.split()
    if words:
        if len(words) != 2:
            raise RecordError(number, "account: it takes a name and a password, as the broker's file has them")
        if not found.is_tls:
            raise RecordError(number, "account: its password travels only with TLS: broker: mqtts://...")
        found.user, found.secret = words
    found.table = said.get("table", (found.user,))[0]
    found.event = said["tournament"][0]
    for key, name in (("table", found.table), ("tournament", found.event)):
        if not is_name(name):
            raise RecordError(said.get(key, ("", 0))[1], "%s: a name has a to z, 0 to 9, - and _" % key)
    return found


def take_broker(found: Settings, text: str, number: int) -> None:
    """`mqtts://ADDRESS:PORT` or `mqtt://ADDRESS:PORT`. An address is four numbers: to look a name up, the table would
    have to stand still. RecordError."""
    scheme, slashes, rest = text.partition("://")
    host, colon, port = rest.rstrip("/").partition(":")
    if not slashes or scheme not in ("mqtt", "mqtts") or colon and not is_below(port, 65536) or port == "0":
        raise RecordError(number, "broker: it takes mqtts://ADDRESS:PORT or mqtt://ADDRESS:PORT")
    if host.count(".") != 3 or not all([is_below(part, 256) for part in host.split(".")]):
        raise RecordError(number, "broker: its address is four numbers, such as 192.0.2.7")
    found.is_tls = scheme == "mqtts"
    found.host = host
    found.port = int(port) if port else TLS_PORT if found.is_tls else PLAIN_PORT


def is_below(text: str, limit: int) -> bool:
    """Whether the text is a number from 0, below the limit."""
    return 0 < len(text) <= 5 and not text.strip("0123456789") and int(text) < limit
