"""Draws both sides of a board as one SVG: the front as it is seen, below it the back, turned over."""

from __future__ import annotations

from html import escape

from host_tools.maker.pcb import route
from host_tools.maker.pcb.route import BACK, FRONT, Design
from host_tools.maker.pcb.seat_board import DOT, GND, MARKS, Part

_SCALE = 10
_GAP = 6.0
_MASK, _COPPER, _BACK_COPPER, _PAD, _HOLE, _SILK = "#14532d", "#2f7d4f", "#256b42", "#d9b45b", "#f8fafc", "#f1f5f9"


def draw(design: Design) -> str:
    """The picture, its lengths in millimetres."""
    title, width, high = design.title, design.outline.width, design.outline.height
    height = 2 * high + 3 * _GAP
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-_GAP} {-_GAP} {width + 2 * _GAP} {height + _GAP}"'
             f' width="{(width + 2 * _GAP) * _SCALE:g}" height="{(height + _GAP) * _SCALE:g}"'
             ' font-family="DejaVu Sans, sans-serif">',
             f"<title>{escape(title)}: front and back</title>",
             f'<rect x="{-_GAP}" y="{-_GAP}" width="100%" height="100%" fill="#e2e8f0"/>']
    lines += _side(design, FRONT)
    lines += _labels(design)
    lines.append(f'<g transform="translate({width} {high + 2 * _GAP}) scale(-1 1)">')
    lines += _side(design, BACK)
    lines.append("</g>")
    filled = (GND, "B.Cu") in design.planes
    below = "back, turned over" + (": ground fills it but for the tracks" if filled else "")
    lines += [_text(0, high + 2 * _GAP - 1.5, below, 2.4, "#334155"), _text(0, -1.5, "front", 2.4, "#334155"),
              "</svg>", ""]
    return "\n".join(lines)


def _side(design: Design, layer: int) -> list[str]:
    """Copper of one side, as seen from the front."""
    parts, tracks = design.parts, design.tracks
    is_filled = layer == BACK and (GND, "B.Cu") in design.planes
    lines = [f'<rect width="{design.outline.width}" height="{design.outline.height}" rx="1"'
             f' fill="{_BACK_COPPER if is_filled else _MASK}"/>']
    if is_filled:  # what the plane keeps away from
        for part in parts:
            for pad, x, y, net in part.places():
                if pad.drill and net != GND:
                    lines.append(_circle(x, y, pad.width / 2 + route.CLEARANCE, _MASK))
        lines += [_line(segment, tracks.track + 2 * route.CLEARANCE, _MASK) for segment in tracks.segments
                  if segment[4] == BACK]
    if layer == FRONT:
        lines += [f'<rect x="{area.left:.3f}" y="{area.top:.3f}" width="{area.right - area.left:.3f}"'
                  f' height="{area.low - area.top:.3f}" fill="{_COPPER}"/>' for area in design.areas]
    for number, segment in enumerate(tracks.segments):
        if segment[4] == layer:
            lines.append(_line(segment, tracks.widths.get(number, tracks.track),
                               _COPPER if layer == FRONT else "#5fae80"))
    for x, y, _ in tracks.vias:
        lines += [_circle(x, y, tracks.via / 2, _COPPER), _circle(x, y, tracks.drill / 2, _HOLE)]
    for part in parts:
        for pad, x, y, _ in part.places():
            if pad.drill or layer == FRONT:
                if pad.shape == "circle":
                    lines.append(_circle(x, y, pad.width / 2, _PAD))
                else:
                    lines.append(f'<rect x="{x - pad.width / 2:.3f}" y="{y - pad.height / 2:.3f}" width="{pad.width}"'
                                 f' height="{pad.height}" rx="{pad.width / 2 * pad.is_round:g}" fill="{_PAD}"/>')
                if pad.drill:
                    lines.append(_circle(x, y, pad.drill / 2, _HOLE))
    return lines + [_circle(x, y, design.outline.hole_mm / 2, "#e2e8f0") for x, y in design.outline.holes]


def _labels(design: Design) -> list[str]:
    outline = design.outline
    lines = [_text(outline.width / 2, outline.height - 1.6, design.title, 1.6, _SILK, "middle")]
    lines += [_text(x, y + 0.6, words, 1.6, _SILK, "middle") for words, x, y in design.notes]
    for part in design.parts:
        pads = part.footprint.pads
        x = part.x + (min(pad.x for pad in pads) + max(pad.x for pad in pads)) / 2
        y = part.y + min(pad.y - pad.height / 2 for pad in pads) - 0.6
        name = part.reference if part.order else part.value
        if part.reference.startswith("SW"):
            name = f"{part.reference} {part.value}"
        lines += [_text(x, y, name, 1.3, _SILK, "middle"), *_mark(part)]
    return lines


def _mark(part: Part) -> list[str]:
    """What is printed beside it."""
    if part.footprint.mark is None:
        return []
    kind, x, y = part.footprint.mark
    x, y = part.x + x, part.y + y
    if kind == DOT:
        return [_circle(x, y, 0.25, _SILK)]
    return [_line((x + left, y + top, x + right, y + low), 0.2, _SILK) for left, top, right, low in MARKS[kind]]


def _line(segment: tuple, width: float, colour: str) -> str:
    x, y, to_x, to_y = segment[:4]
    return (f'<line x1="{x:.3f}" y1="{y:.3f}" x2="{to_x:.3f}" y2="{to_y:.3f}" stroke="{colour}"'
            f' stroke-width="{width:.2f}" stroke-linecap="round"/>')


def _circle(x: float, y: float, radius: float, colour: str) -> str:
    return f'<circle cx="{x:.3f}" cy="{y:.3f}" r="{radius:.3f}" fill="{colour}"/>'


def _text(x: float, y: float, text: str, size: float, colour: str, anchor: str = "start") -> str:
    return (f'<text x="{x:.2f}" y="{y:.2f}" font-size="{size}" fill="{colour}" text-anchor="{anchor}">'
            f"{escape(text)}</text>")
