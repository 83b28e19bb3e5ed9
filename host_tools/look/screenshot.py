"""Takes a PNG of one line of a game: the replay's own page in a Chromium without a window."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.errors import UnusableInput

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTH, HEIGHT = 1280, 720
PATIENCE_S = 120.0


def find_browser() -> str:
    """The path of a Chromium; CARDTABLE_BROWSER names one. UnusableInput if there is none."""
    named = os.environ.get("CARDTABLE_BROWSER")
    found = named if named and Path(named).exists() else next(filter(None, map(shutil.which, NAMES)), None)
    if not found:
        raise UnusableInput("a PNG needs Chromium, and there is none (CARDTABLE_BROWSER names one); an .svg does not")
    return found


def take(html: str, line: int, reader: str) -> bytes:
    """The picture of that line of a replay in one file."""
    browser = find_browser()
    with tempfile.TemporaryDirectory(prefix="cardtable-") as folder:
        page, picture = Path(folder, "game.html"), Path(folder, "game.png")
        page.write_text(html, encoding="utf-8")
        command = [browser, "--headless", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                   f"--window-size={WIDTH},{HEIGHT}", "--force-prefers-reduced-motion", "--virtual-time-budget=3000",
                   f"--screenshot={picture}", f"{page.as_uri()}#line={line}&as={reader}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.insert(1, "--no-sandbox")  # Chromium refuses to be root otherwise; it opens this file alone
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE_S)
            return foreign.read_bytes(picture)
        except (OSError, subprocess.SubprocessError) as wrong:
            raise UnusableInput(f"{browser} made no picture of the page: {wrong.__class__.__name__}") from wrong
