"""Writes a board as KiCad 6 and later ones read it: NAME.kicad_pcb and its project file."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

from host_tools.maker.pcb import route
from host_tools.maker.pcb.route import Design
from host_tools.maker.pcb.seat_board import Outline, Pad, Part

LEFT, TOP = 100.0, 60.0  # of the board on KiCad's sheet
_NAMES = uuid.UUID("7b0cf3a6-2f5e-4d8b-9f1c-5a1d3c0e4b77")  # the stamps of a board are the same each time
_HEAD = """(kicad_pcb (version 20211014) (generator cardtable)
  (general (thickness 1.6))
  (paper "A4")
  (layers
    {copper} (34 "B.Paste" user) (35 "F.Paste" user) (36 "B.SilkS" user "B.Silkscreen")
    (37 "F.SilkS" user "F.Silkscreen") (38 "B.Mask" user) (39 "F.Mask" user) (44 "Edge.Cuts" user) (46 "B.CrtYd" user)
    (47 "F.CrtYd" user) (48 "B.Fab" user) (49 "F.Fab" user)
  )
  (setup (pad_to_mask_clearance 0))"""
_NUMBERS = {"F.Cu": 0, "In1.Cu": 1, "In2.Cu": 2, "B.Cu": 31}
_LAYERS = ("F.Cu", "B.Cu")


def as_board(design: Design, open_nets: dict[tuple[str, str], str]) -> str:
    """The .kicad_pcb file. open_nets: of (reference, pad) the net's name in the schematic, where nothing is joined."""
    parts, tracks, outline = design.parts, design.tracks, design.outline
    parts = [replace(part, nets={**part.nets, **{number: net for (reference, number), net in open_nets.items()
                                                 if reference == part.reference}}) for part in parts]
    nets = sorted({net for part in parts for net in part.nets.values()})
    numbers = {"": 0, **{net: number for number, net in enumerate(nets, 1)}}
    stamps = iter(range(1 << 30))

    def stamp() -> str:
        return f"(tstamp {uuid.uuid5(_NAMES, str(next(stamps)))})"

    copper = " ".join(f'({_NUMBERS[layer]} "{layer}" signal)' for layer in design.layers)
    lines = [_HEAD.format(copper=copper), '  (net 0 "")', *(f'  (net {numbers[net]} "{net}")' for net in nets)]
    for part in parts:
        lines += _footprint(part, numbers, stamp)
    for number, (x, y) in enumerate(outline.holes, 1):
        lines.append(f'  (footprint "MountingHole:MountingHole_3.2mm_M3" (layer "F.Cu") {stamp()} {_at(x, y)}\n'
                     "    (attr board_only exclude_from_pos_files exclude_from_bom)\n"
                     f'    (fp_text reference "H{number}" (at 0 0) (layer "F.Fab") (effects (font (size 1 1)'
                     f' (thickness 0.15))) {stamp()})\n'
                     f'    (pad "" np_thru_hole circle (at 0 0) (size {outline.hole_mm} {outline.hole_mm})'
                     f' (drill {outline.hole_mm})'
                     f' (layers *.Cu *.Mask) {stamp()})\n  )')
    width, height = outline.width, outline.height
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        lines.append(f"  (gr_line (start {_point(*one)}) (end {_point(*other)}) (layer \"Edge.Cuts\") (width 0.1)"
                     f" {stamp()})")
    lines.append(f'  (gr_text "{design.title}" {_at(width / 2, height - 2.2)} (layer "F.SilkS") {stamp()}'
                 ' (effects (font (size 1.2 1.2) (thickness 0.18))))')
    for number, (x, y, to_x, to_y, layer, net) in enumerate(tracks.segments):
        lines.append(f"  (segment (start {_point(x, y)}) (end {_point(to_x, to_y)})"
                     f" (width {tracks.widths.get(number, tracks.track)})"
                     f' (layer "{_LAYERS[layer]}") (net {numbers[net]}) {stamp()})')
    for x, y, net in tracks.vias:
        lines.append(f'  (via {_at(x, y)} (size {tracks.via}) (drill {tracks.drill}) (layers "F.Cu" "B.Cu")'
                     f" (net {numbers[net]}) {stamp()})")
    for net, filled in design.planes:
        lines += _plane(numbers[net], net, filled, outline, stamp())
    return "\n".join([*lines, ")", ""])


def as_project(track: float = route.TRACK, via: float = route.VIA, drill: float = route.VIA_DRILL) -> str:
    """The .kicad_pro file: the rules that DRC holds the board to.

    Not that a footprint is the same as in KiCad's library, and that this is installed: the pads are, which a test looks
    at, and what is printed around them is our own.
    """
    rules = {"min_clearance": route.CLEARANCE, "min_track_width": 0.25, "min_via_diameter": 0.6,
             "min_through_hole_diameter": 0.3, "min_copper_edge_clearance": 0.5, "min_hole_to_hole": 0.25}
    net_class = {"name": "Default", "clearance": route.CLEARANCE, "track_width": track, "via_diameter": via,
                 "via_drill": drill}
    ignored = dict.fromkeys(("lib_footprint_issues", "lib_footprint_mismatch"), "ignore")
    settings = {"rules": rules, "rule_severities": ignored}
    return json.dumps({"board": {"design_settings": settings}, "meta": {"version": 1},
                       "net_settings": {"classes": [net_class], "meta": {"version": 2}}}, indent=2) + "\n"


def _point(x: float, y: float) -> str:
    return f"{LEFT + x:.4f} {TOP + y:.4f}"


def _at(x: float, y: float) -> str:
    return f"(at {_point(x, y)})"


def _footprint(part: Part, numbers: dict[str, int], stamp) -> list[str]:
    kind = "smd" if part.footprint.is_smd else "through_hole"
    if not part.order:
        kind += " exclude_from_pos_files exclude_from_bom"
    xs = [pad.x for pad in part.footprint.pads]
    ys = [pad.y - pad.height / 2 for pad in part.footprint.pads]
    middle, top = (min(xs) + max(xs)) / 2, min(ys) - 1.0
    font = "(effects (font (size 0.9 0.9) (thickness 0.15)))"
    where = f"(at {middle:.4f} {top:.4f})"
    lines = [f'  (footprint "{part.footprint.name}" (layer "F.Cu") {stamp()} {_at(part.x, part.y)}',
             f"    (attr {kind})",
             f'    (fp_text reference "{part.reference}" {where} (layer "F.SilkS") {font} {stamp()})',
             f'    (fp_text value "{part.value}" {where} (layer "F.Fab") {font} {stamp()})']
    for pad in part.footprint.pads:
        lines.append("    " + _pad(pad, part, numbers, stamp))
    return [*lines, "  )"]


def _pad(pad: Pad, part: Part, numbers: dict[str, int], stamp) -> str:
    shape = "circle" if pad.is_round else "rect"
    paste = "" if part.footprint.name.startswith("TestPoint") else ' "F.Paste"'
    kind, layers = ("thru_hole", "*.Cu *.Mask") if pad.drill else ("smd", f'"F.Cu"{paste} "F.Mask"')
    drill = f" (drill {pad.drill})" if pad.drill else ""
    name = part.nets.get(pad.number, "")
    net = f' (net {numbers[name]} "{name}")' if name else ""
    return (f'(pad "{pad.number}" {kind} {shape} (at {pad.x} {pad.y}) (size {pad.width} {pad.height}){drill}'
            f" (layers {layers}){net} {stamp()})")


def _plane(number: int, net: str, layer: str, outline: Outline, stamp: str) -> list[str]:
    """A net that fills a layer, up to 0.6 mm from the edge."""
    inset = 0.6
    right, low = outline.width - inset, outline.height - inset
    points = " ".join(f"(xy {_point(x, y)})" for x, y in ((inset, inset), (right, inset), (right, low), (inset, low)))
    return [f'  (zone (net {number}) (net_name "{net}") (layer "{layer}") {stamp} (hatch edge 0.508)',
            f"    (connect_pads (clearance {route.CLEARANCE}))", "    (min_thickness 0.25)",
            "    (fill yes (thermal_gap 0.3) (thermal_bridge_width 0.5))", f"    (polygon (pts {points}))", "  )"]
