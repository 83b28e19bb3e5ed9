"""Writes a board as KiCad 6 and later ones read it: NAME.kicad_pcb and its project file."""

from __future__ import annotations

import json
import uuid
from dataclasses import replace

from host_tools.maker.pcb import route
from host_tools.maker.pcb.route import Area, Design
from host_tools.maker.pcb.seat_board import DOT, MARKS, Footprint, Pad, Part

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
  (setup (pad_to_mask_clearance 0) (aux_axis_origin {origin}))"""
_NUMBERS = {"F.Cu": 0, "In1.Cu": 1, "In2.Cu": 2, "B.Cu": 31}
_LAYERS = ("F.Cu", "B.Cu")
_INSET = 0.6  # of a plane from the edge


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
    lines = [_HEAD.format(copper=copper, origin=_point(0, outline.height)), '  (net 0 "")',
             *(f'  (net {numbers[net]} "{net}")' for net in nets)]
    for part in parts:
        lines += _footprint(part, numbers, stamp)
    for number, (x, y) in enumerate(outline.holes, 1):
        lines.append(f'  (footprint "MountingHole:MountingHole_3.2mm_M3" (layer "F.Cu") {stamp()} {_at(x, y)}\n'
                     "    (attr board_only exclude_from_pos_files exclude_from_bom)\n"
                     f'    (fp_text reference "H{number}" (at 0 0) (layer "F.Fab") (effects (font (size 1 1)'
                     f' (thickness 0.15))) {stamp()})\n'
                     f'    (fp_circle (center 0 0) (end {outline.head_mm / 2} 0) (layer "F.CrtYd") (width 0.05)'
                     f' (fill none) {stamp()})\n'
                     f'    (pad "" np_thru_hole circle (at 0 0) (size {outline.hole_mm} {outline.hole_mm})'
                     f' (drill {outline.hole_mm})'
                     f' (layers *.Cu *.Mask) {stamp()})\n  )')
    width, height = outline.width, outline.height
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    for one, other in zip(corners, (*corners[1:], corners[0]), strict=True):
        lines.append(f"  (gr_line (start {_point(*one)}) (end {_point(*other)}) (layer \"Edge.Cuts\") (width 0.1)"
                     f" {stamp()})")
    for words, x, y in ((design.title, width / 2, height - 2.2), *design.notes):
        lines.append(f'  (gr_text "{words}" {_at(x, y)} (layer "F.SilkS") {stamp()}'
                     ' (effects (font (size 1.2 1.2) (thickness 0.18))))')
    for number, (x, y, to_x, to_y, layer, net) in enumerate(tracks.segments):
        lines.append(f"  (segment (start {_point(x, y)}) (end {_point(to_x, to_y)})"
                     f" (width {tracks.widths.get(number, tracks.track)})"
                     f' (layer "{_LAYERS[layer]}") (net {numbers[net]}) {stamp()})')
    for x, y, net in tracks.vias:
        lines.append(f'  (via {_at(x, y)} (size {tracks.via}) (drill {tracks.drill}) (layers "F.Cu" "B.Cu")'
                     f" (net {numbers[net]}) {stamp()})")
    for net, filled in design.planes:
        whole = Area(net, _INSET, _INSET, width - _INSET, height - _INSET)
        lines += _plane(numbers[net], whole, filled, "", stamp())
    for area in design.areas:
        lines += _plane(numbers[area.net], area, "F.Cu", "yes ", stamp())
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
             f'    (fp_text value "{part.value}" {where} (layer "F.Fab") {font} {stamp()})',
             f"    {_courtyard(part.footprint, stamp())}",
             *(f"    {line} {stamp()})" for line in _mark(part.footprint))]
    for pad in part.footprint.pads:
        lines.append("    " + _pad(pad, part, numbers, stamp))
    return [*lines, "  )"]


def _pad(pad: Pad, part: Part, numbers: dict[str, int], stamp) -> str:
    paste = "" if part.footprint.name.startswith("TestPoint") else ' "F.Paste"'
    kind, layers = ("thru_hole", "*.Cu *.Mask") if pad.drill else ("smd", f'"F.Cu"{paste} "F.Mask"')
    drill = f" (drill {pad.drill})" if pad.drill else ""
    name = part.nets.get(pad.number, "")
    net = f' (net {numbers[name]} "{name}")' if name else ""
    return (f'(pad "{pad.number}" {kind} {pad.shape} (at {pad.x} {pad.y}) (size {pad.width} {pad.height}){drill}'
            f" (layers {layers}){net} {stamp()})")


def _courtyard(footprint: Footprint, stamp: str) -> str:
    left, top, right, low = footprint.courtyard
    return (f'(fp_rect (start {left:.4f} {top:.4f}) (end {right:.4f} {low:.4f}) (layer "F.CrtYd") (width 0.05)'
            f" (fill none) {stamp})")


def _mark(footprint: Footprint) -> list[str]:
    """What is printed beside the part, each shape but for its stamp."""
    if footprint.mark is None:
        return []
    kind, x, y = footprint.mark
    if kind == DOT:
        return [f'(fp_circle (center {x:.4f} {y:.4f}) (end {x + 0.2:.4f} {y:.4f}) (layer "F.SilkS") (width 0.1)'
                " (fill solid)"]
    return [f'(fp_line (start {x + left:.4f} {y + top:.4f}) (end {x + right:.4f} {y + low:.4f}) (layer "F.SilkS")'
            " (width 0.2)" for left, top, right, low in MARKS[kind]]


def _plane(number: int, area: Area, layer: str, solid: str, stamp: str) -> list[str]:
    """A net that fills part of a layer; `solid`: its pads without spokes, so that heat gets out."""
    points = " ".join(f"(xy {_point(x, y)})" for x, y in ((area.left, area.top), (area.right, area.top),
                                                         (area.right, area.low), (area.left, area.low)))
    return [f'  (zone (net {number}) (net_name "{area.net}") (layer "{layer}") {stamp} (hatch edge 0.508)',
            f"    (connect_pads {solid}(clearance {route.CLEARANCE}))", "    (min_thickness 0.25)",
            "    (fill yes (thermal_gap 0.3) (thermal_bridge_width 0.5))", f"    (polygon (pts {points}))", "  )"]
