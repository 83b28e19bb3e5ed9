"""Tests with PostgreSQL: the mark `postgres`, how a server is found, and the fixtures that start one."""

import importlib.util
import itertools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.left_out import need
from tests.patience import PATIENCE_S

_number = itertools.count(1)


def find_postgres() -> Path | None:
    """The folder with initdb and postgres, or None."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    named = shutil.which("initdb")
    folders += [Path(named).resolve().parent] if named else []
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "pg_ctl").exists()), None)


def has_postgres() -> bool:
    """Whether PostgreSQL and its driver are there."""
    return bool(find_postgres() and importlib.util.find_spec("psycopg"))


need("postgres", "needs PostgreSQL", has_postgres, "tests with PostgreSQL", "Install Debian's postgresql.")


def run(*words, **more):
    """A program of PostgreSQL; root may not run them, so then `nobody` does."""
    if os.geteuid() == 0:
        more = {**more, "user": "nobody", "group": "nogroup", "extra_groups": []}
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.STDOUT, timeout=PATIENCE_S, cwd="/", **more)


@pytest.fixture(scope="session")
def postgres_server():
    """A server of its own, in a temporary folder; only a socket in that folder leads to it."""
    programs = find_postgres()
    folder = Path(tempfile.mkdtemp(prefix="pg"))  # a socket's path is short
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
    data = folder / "data"
    run(programs / "initdb", "--pgdata", data, "--username", "club", "--auth", "trust", "--no-sync",
        "--encoding", "UTF8", "--locale", "C")
    rules = data / "pg_hba.conf"
    rules.write_text("local all guarded scram-sha-256\n" + rules.read_text())  # a role that needs its password
    options = f"-c listen_addresses= -c fsync=off -c unix_socket_directories={folder} -c max_connections=40"
    run(programs / "pg_ctl", "start", "--pgdata", data, "--wait", "--timeout", f"{PATIENCE_S:.0f}",
        "--log", folder / "log", "--options", options)
    yield folder
    run(programs / "pg_ctl", "stop", "--pgdata", data, "--mode", "immediate", "--wait")
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def database(request, tmp_path):
    """The name of a database that has nothing yet: the same test runs on both."""
    if request.param == "sqlite":
        return str(tmp_path / "evening.sqlite")
    return make_database(request.getfixturevalue("postgres_server"))


def make_database(folder):
    """A new database of that server, as a URL."""
    import psycopg

    name = f"evening{next(_number)}"
    with psycopg.connect(f"host={folder} user=club dbname=postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"postgresql://club@/{name}?host={folder}"
