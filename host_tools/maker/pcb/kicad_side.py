"""Runs in KiCad's own Python, which has `pcbnew`: fills the plane, checks the board, plots it.

    python3 kicad_side.py BOARD.kicad_pcb FOLDER

Imports nothing of this project: KiCad's Python is the system's. FOLDER gets Gerber and drill files and drc.txt.
"""

import os
import sys

import pcbnew

LAYERS = (
    ("F_Cu", pcbnew.F_Cu), ("B_Cu", pcbnew.B_Cu), ("F_Mask", pcbnew.F_Mask), ("B_Mask", pcbnew.B_Mask),
    ("F_Paste", pcbnew.F_Paste), ("F_Silkscreen", pcbnew.F_SilkS), ("Edge_Cuts", pcbnew.Edge_Cuts),
)


def plot(board, folder: str) -> None:
    """Gerber X2 and Excellon."""
    control = pcbnew.PLOT_CONTROLLER(board)
    options = control.GetPlotOptions()
    options.SetOutputDirectory(folder)
    options.SetUseGerberProtelExtensions(False)
    options.SetCreateGerberJobFile(False)
    options.SetSubtractMaskFromSilk(True)
    for name, layer in LAYERS:
        control.SetLayer(layer)
        control.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        control.PlotLayer()
    control.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(folder, True, False)


def main(path: str, folder: str) -> None:
    """All of it."""
    board = pcbnew.LoadBoard(path)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    pcbnew.SaveBoard(path, board)
    pcbnew.WriteDRCReport(board, os.path.join(folder, "drc.txt"), pcbnew.EDA_UNITS_MILLIMETRES, True)
    plot(board, folder)


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]))
