"""Files that somebody has edited by hand, or that rotted: a sentence, and no crash."""

from types import SimpleNamespace

import pytest
from cardtable.between import delays, doctor, files, house_rules
from cardtable.between.files import FileError

RUNS_ON = "cpython"  # files in a folder of the test's own


def test_t13_a_file_that_is_no_text_is_not_written_anew(tmp_path, monkeypatch):
    """delays.txt and profiles.txt in another encoding: the table says so when it is to change them."""
    monkeypatch.chdir(tmp_path)
    spoilt = "Анна: handicap=2.5\n".encode("cp1251")
    for name, deed in ((delays.DELAYS_FILE, lambda: delays.keep_delays("Vera", {"handicap": "3.0"})),
                       (house_rules.OWN_FILE, lambda: house_rules.delete("House 1"))):
        (tmp_path / name).write_bytes(spoilt)
        with pytest.raises(FileError, match=f"{name} is no text"):
            deed()
        assert (tmp_path / name).read_bytes() == spoilt


@pytest.mark.parametrize("text", [b"", b"cardtable 1 x\nabc\n", b"cardtable 1 x\n\xff\xfe\n", b"cardtable 1 x\n\n"])
def test_t13_a_damaged_manifest_is_a_finding(text, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "HOME", f"{tmp_path}/cardtable")
    (tmp_path / "manifest.txt").write_bytes(text)
    said = []
    readers = SimpleNamespace(chips=[])
    parts = SimpleNamespace(readers=readers, buttons=None, strip=None, screen=None, language="en", say=said.append,
                            lights=SimpleNamespace(sounds=None), feed_watchdog=lambda: None)
    doctor.Doctor(parts, []).look_at_files()
    assert said == ["! The file manifest.txt is damaged: deploy the application again."]


def test_t9_a_cut_within_a_rewrite_leaves_the_file_that_was_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tags.txt").write_text("one\ntwo\n")

    def tear(name, text):
        (tmp_path / name).write_text(text[:2])
        raise OSError(28)

    with monkeypatch.context() as full:
        full.setattr(files, "write_text", tear)
        with pytest.raises(OSError, match="28"):
            files.rewrite("tags.txt", lambda lines: lines[:1])
    assert (tmp_path / "tags.txt").read_text() == "one\ntwo\n"
    files.rewrite("tags.txt", lambda lines: lines[:1])
    assert (tmp_path / "tags.txt").read_text() == "one\n"
