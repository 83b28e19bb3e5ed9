"""Whether KiCad's own Python is here, for tests of circuit boards."""

from functools import cache

from host_tools.maker.pcb.write import has_kicad
from tests.left_out import need


@cache
def is_there() -> bool:
    """Asked once: KiCad's Python takes a second to start."""
    return has_kicad()


need("kicad", "lets KiCad check a board", is_there, "tests of circuit boards with KiCad", "Install Debian's kicad.")
