"""Which game has which proof."""

from __future__ import annotations

from typing import Any

from cardtable.games import bailiff, cals_bs, durak, malice
from host_tools.minds.puzzles.bailiff_proof import BailiffProof
from host_tools.minds.puzzles.cals_bs_proof import CalsBsProof
from host_tools.minds.puzzles.durak_proof import DurakProof
from host_tools.minds.puzzles.malice_proof import MaliceProof
from host_tools.minds.puzzles.proof import Proof

_PROOFS: dict[Any, Proof] = {
    durak: DurakProof(), malice: MaliceProof(), bailiff: BailiffProof(), cals_bs: CalsBsProof(),
}


def find_proof(game: Any) -> Proof | None:
    """What can be proved in that game; None: nothing."""
    return _PROOFS.get(game)
