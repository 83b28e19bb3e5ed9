"""Whether KiCad and its library are here, for tests of circuit boards."""

from pathlib import Path

from host_tools.maker.pcb import kicad
from tests.left_out import need

LIBRARY = Path("/usr/share/kicad/footprints")


need("kicad", "lets KiCad check a board", lambda: LIBRARY.is_dir() and kicad.is_there(),
     "tests of circuit boards with KiCad",
     f"Install kicad and kicad-footprints, version {kicad.OLDEST} or newer: Debian 12 has them in its backports.")
