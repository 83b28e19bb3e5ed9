"""Draws lines, boxes and words as SVG."""

from html import escape

FONT = "Verdana, 'DejaVu Sans', sans-serif"


class Sheet:
    """A drawing that grows: `lines` is what it holds so far, coordinates are from the top left."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.lines: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, fill: str, edge: str = "#30343c", radius: float = 6,
            stroke: float = 1.4) -> None:
        """A rectangle with round corners."""
        self.lines.append(f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" '
                          f'fill="{fill}" stroke="{edge}" stroke-width="{stroke:g}"/>')

    def dot(self, x: float, y: float, radius: float, fill: str, edge: str = "none", stroke: float = 1) -> None:
        """A filled circle."""
        self.lines.append(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}" '
                          f'stroke-width="{stroke:g}"/>')

    def text(self, x: float, y: float, words: str, size: float = 11, anchor: str = "start", colour: str = "#20242c",
             bold: bool = False, turn: float = 0) -> None:
        """Words; `anchor` is start, middle or end."""
        weight = ' font-weight="bold"' if bold else ""
        turned = f' transform="rotate({turn:g} {x:g} {y:g})"' if turn else ""
        self.lines.append(f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}" fill="{colour}"'
                          f"{weight}{turned}>{escape(words)}</text>")

    def wire(self, points: list[tuple[float, float]], colour: str) -> None:
        """A line through points with round corners, and a white border that sets it off from what it crosses."""
        path = _round(points)
        self.lines.append(f'<path d="{path}" fill="none" stroke="#fff" stroke-width="5"/>')
        self.lines.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')

    def finish(self, height: float, title: str) -> str:
        """The whole file."""
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height:g}" '
                f'font-family="{FONT}" role="img">\n<title>{escape(title)}</title>\n'
                f'<rect width="{self.width}" height="{height:g}" fill="#fff"/>\n')
        return head + "\n".join(self.lines) + "\n</svg>\n"


def _round(points: list[tuple[float, float]], radius: float = 5) -> str:
    """The path through points, each corner cut by a curve."""
    path = f"M{points[0][0]:g} {points[0][1]:g}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        start, end = _towards(corner, before, radius), _towards(corner, after, radius)
        path += f" L{start[0]:g} {start[1]:g} Q{corner[0]:g} {corner[1]:g} {end[0]:g} {end[1]:g}"
    return path + f" L{points[-1][0]:g} {points[-1][1]:g}"


def _towards(one: tuple[float, float], other: tuple[float, float], radius: float) -> tuple[float, float]:
    """The point so far from one on the way to the other, which lies straight across or straight down."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = abs(dx) + abs(dy)
    if not length:
        return one
    reach = min(radius, length / 2)
    return one[0] + dx / length * reach, one[1] + dy / length * reach
