"""Owns who may connect to a broker, and which topics each account may use: one list, for every engine of a broker.

A row of accounts.txt is `NAME ROLE HASH`; the hash is as mosquitto has it (PBKDF2 over SHA-512, `$7$`).
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path
from typing import NamedTuple

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput
from host_tools.base.files import OWNERS, settle, written
from host_tools.club.wire.topics import ROOT, is_name

FILE = "accounts.txt"
ROLES = ("table", "bridge", "director")
# Which topics an account may write and read, below the tournament; `me` is its own name.
_RULES = {
    "table": (
        ("table/me/offer", "table/me/state"),
        ("table/me/receipt", "table/me/order", "director/main/state"),
    ),
    "bridge": (
        ("table/+/offer", "table/+/state", "bridge/me/state"),
        ("table/+/receipt", "table/+/order", "director/main/state"),
    ),
    "director": (
        ("table/+/receipt", "table/+/order", "director/main/state"),
        ("table/+/offer", "table/+/state", "bridge/+/state", "director/main/state"),
    ),
}
_HASH = re.compile(r"\$7\$[1-9]\d{0,6}\$(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?\$[\w+/=]+", re.ASCII)
_ROUNDS = 101  # of PBKDF2, as mosquitto's own program uses; the passwords are random, and 160 bits long


class Account(NamedTuple):
    """One row of the file."""

    name: str
    role: str
    hash: str


def add(folder: Path, name: str, role: str) -> Path:
    """Make an account, or a new password for one; the file with the password, for the machine that uses it.
    UnusableInput."""
    if not is_name(name):
        raise UnusableInput(f"{foreign.shorten(name)}: a name has a to z, 0 to 9, - and _, at most 40 of them")
    password = secrets.token_urlsafe(20)
    rows = [account for account in read(folder) if account.name != name] + [Account(name, role, hash_of(password))]
    folder.mkdir(parents=True, exist_ok=True)
    write_secret(folder / FILE, "".join(f"{' '.join(account)}\n" for account in rows))
    write_secret(folder / f"{name}.account", f"{name} {password}\n")
    return folder / f"{name}.account"


def read(folder: Path) -> list[Account]:
    """The accounts of a broker; none if there is no file. UnusableInput."""
    path = folder / FILE
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(foreign.read_lines(path), 1):
        words = line.split()
        if len(words) != 3 or words[1] not in ROLES or not is_name(words[0]) or not _HASH.fullmatch(words[2]):
            raise UnusableInput(f"{path}, line {number}: a row is NAME ROLE HASH")
        rows.append(Account(*words))
    return rows


def write_secret(path: Path, text: str) -> None:
    """A file that only its owner reads; whole or not at all, and on the disk before the old one goes."""
    with written(path, OWNERS) as half:
        half.write_bytes(text.encode())
        settle(half)


def hash_of(password: str, salt: bytes = b"", rounds: int = _ROUNDS) -> str:
    """As mosquitto's password file has it."""
    salt = salt or os.urandom(12)
    key = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, rounds)
    return f"$7${rounds}${base64.b64encode(salt).decode()}${base64.b64encode(key).decode()}"


def is_password(account: Account, password: str) -> bool:
    """Whether this is the account's password."""
    _, _, rounds, salt, _ = account.hash.split("$")
    return hmac.compare_digest(hash_of(password, base64.b64decode(salt), int(rounds)), account.hash)


def rules_of(account: Account, writes: bool) -> list[str]:
    """The filters of topics that the account may write, or read."""
    rules = _RULES[account.role][0 if writes else 1]
    return [f"{ROOT}/+/{rule.replace('/me/', f'/{account.name}/')}" for rule in rules]


def may(account: Account, topic: str, writes: bool) -> bool:
    """Whether the account may publish there, or subscribe to that filter."""
    return any(covers(rule, topic) for rule in rules_of(account, writes))


def covers(rule: str, topic: str) -> bool:
    """Whether everything that the topic or filter fits fits the rule, too."""
    levels, wanted = rule.split("/"), topic.split("/")
    return len(levels) == len(wanted) and all(
        level == want or level == "+" and want != "#" for level, want in zip(levels, wanted, strict=True))


def mosquitto_files(accounts: list[Account]) -> tuple[str, str]:
    """The same for mosquitto: its password file, and its list of who may do what."""
    passwords = "".join(f"{account.name}:{account.hash}\n" for account in accounts)
    lists = []
    for account in accounts:
        lists.append(f"user {account.name}\n")
        lists += [f"topic write {rule}\n" for rule in rules_of(account, True)]
        lists += [f"topic read {rule}\n" for rule in rules_of(account, False)]
    return passwords, "".join(lists)
