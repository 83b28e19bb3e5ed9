"""Runs in KiCad's own Python, which has `pcbnew`: fills the ground plane of a board, which its command does not.

    python3 kicad_side.py BOARD.kicad_pcb

Imports nothing of this project: KiCad's Python is the system's.
"""

import sys

import pcbnew

if __name__ == "__main__":
    board = pcbnew.LoadBoard(sys.argv[1])
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(sys.argv[1], board)
