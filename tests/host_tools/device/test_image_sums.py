"""An image of MicroPython is held against the published sums that somebody has typed in."""

import hashlib

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.maker.device import flash
from host_tools.maker.device.flash import Chip, fetch, read_sums

SUM = "0123456789abcdef" * 4


def test_the_projects_own_list_can_be_read_and_a_missing_one_is_empty(tmp_path):
    assert isinstance(read_sums(), dict)
    assert read_sums(tmp_path / "none") == {}


@pytest.mark.parametrize("line", [SUM, f"{SUM[1:]}  a.bin", f"{SUM}  ../a.bin", f"{SUM}  a.uf2", f"{SUM}  b.bin"])
def test_a_line_that_is_no_sum_is_refused(tmp_path, line):
    path = tmp_path / "sums.txt"
    path.write_text(f"# a remark\n{SUM.upper()} *b.bin\n\n")
    assert read_sums(path) == {"b.bin": SUM}
    path.write_text(f"{path.read_text()}{line}\n")
    with pytest.raises(UnusableInput, match="line 4"):
        read_sums(path)


def test_an_image_with_another_sum_is_not_written(tmp_path, monkeypatch):
    image = tmp_path / "X-v1.29.0.bin"
    image.write_bytes(b"an image")
    monkeypatch.setattr(flash, "find_image", lambda chip, folder: image)
    chip = Chip("esp32s3", "0x0", "X", True)
    for known in ({}, {image.name: hashlib.sha256(b"an image").hexdigest()}):
        monkeypatch.setattr(flash, "read_sums", lambda known=known: known)
        assert fetch(chip) == image
    monkeypatch.setattr(flash, "read_sums", lambda: {image.name: SUM})
    with pytest.raises(UnusableInput, match="is not the file of that name"):
        fetch(chip)
