"""The twin's page in a browser: a tag that is laid on a reader there is a tap, and the firmware judges it."""

import shutil
import subprocess
import sys

import pytest

from host_tools.maker.device.table import Table
from host_tools.virtual.fingers import deck_lines
from tests.conftest import ROOT
from tests.host_tools.at_table import SETUP

pytestmark = [pytest.mark.micropython, pytest.mark.browser]

LATE_S = 240  # the twin ends by itself
PATIENCE_MS = 120_000


def test_a_tap_on_the_twins_page_is_judged_by_its_firmware(tmp_path, deployed, window):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    command = [sys.executable, "-m", "host_tools.cli", "twin", "--page", "--link", tmp_path / "tty", "--flash",
               tmp_path / "flash.bin", "--speed", "5", "--seconds", str(LATE_S)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as twin:
        try:
            address = next(line for line in twin.stderr if line.startswith("Sit at it: ")).split()[-1]
            with Table(str(tmp_path / "tty")) as table:
                table.stop()
                table.write("/deck.txt", "".join(deck_lines()).encode())
                table.write("/setup.txt", SETUP.replace("throw-in", "throw-in deal=counted").encode())
            page = window.open(address)
            page.set_default_timeout(PATIENCE_MS)
            page.wait_for_selector("#feed li:has-text('game: durak throw-in')")
            page.click("#tags button:text-is('6S')")
            page.click("[aria-label='Reader of seat 2']")
            page.wait_for_selector("#feed li:has-text(' 2 turn 6S')")  # the trump
            page.click("[aria-label='Reader of seat 2'] button:text-is('6S')")  # taken away again
            page.click("#tags button:text-is('7S')")
            page.click("[aria-label='Reader of seat 2']")
            page.wait_for_selector("#feed li:has-text(' 2 attack 7S !'), #feed li:has-text(' ! ')")
        finally:
            window.close()
            twin.terminate()
