"""What tests of tournaments share."""

import pytest

from host_tools.cli import run


@pytest.fixture
def club(tmp_path, monkeypatch, capsys):
    """Type a command in a folder of its own: (exit code, output, errors)."""
    monkeypatch.chdir(tmp_path)

    def say(*words):
        code = run(["tournament", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return say
