"""The printable case: closed bodies of the right size, whose holes stand where the parts are."""

import struct
from collections import Counter

import pytest

from host_tools.maker.board.case import Case, as_stl, bodies, draw, frame, normal, reader_at, shell
from host_tools.cli import RIGHT, run

CASES = (Case(), Case(wall=3.0, keys=4, key=16.0, key_pitch=22.0), Case(reader=(43.0, 41.0), height=30.0))


@pytest.mark.parametrize("case", CASES)
def test_every_edge_has_two_faces_that_run_against_each_other(case):
    """That is what a slicer calls closed."""
    for name, body in bodies(case).items():
        edges = Counter()
        for a, b, c in body:
            for edge in ((a, b), (b, c), (c, a)):
                edges[edge] += 1
        assert all(edges[b, a] == count for (a, b), count in edges.items()), name


@pytest.mark.parametrize("case", CASES)
def test_volume_is_that_of_a_thin_box(case):
    """Counted over all faces, so a face turned inside out would show."""
    for body in bodies(case).values():
        volume = sum(
            (a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
             + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6 for a, b, c in body
        )
        assert 5_000 < volume < case.width * case.depth * case.height / 2


@pytest.mark.parametrize("case", CASES)
def test_holes_lie_within_the_top_and_not_over_the_reader(case):
    x, y, _ = reader_at(case)
    for hole in shell(case)[1][1:-1]:
        assert case.wall <= hole[0] and hole[3] <= case.width - case.wall and case.wall <= hole[1]
        assert hole[4] <= case.depth - case.wall
        assert hole[4] <= y or hole[1] >= y + case.reader[1] or hole[3] <= x or hole[0] >= x + case.reader[0]


@pytest.mark.parametrize("case", (*CASES, Case(rail=3.0), Case(light=9.0)))
def test_nothing_that_is_added_lies_under_a_hole(case):
    """A rail under the light's hole would leave no room for the light."""
    for hole in shell(case)[1][1:-1]:
        for rail in frame(case):
            assert rail[3] <= hole[0] or hole[3] <= rail[0] or rail[4] <= hole[1] or hole[4] <= rail[1], (rail, hole)


def test_the_command_writes_two_parts_and_a_drawing(tmp_path, capsys):
    assert run(["board", "case", "--to", str(tmp_path), "--wall", "2.5"]) == RIGHT
    assert sorted(path.name for path in tmp_path.iterdir()) == ["seat_floor.stl", "seat_shell.stl", "seat_unit.svg"]
    data = (tmp_path / "seat_shell.stl").read_bytes()
    assert len(data) == 84 + 50 * struct.unpack("<I", data[80:84])[0]
    assert data == as_stl(bodies(Case(wall=2.5))["seat_shell"]) and "reader 60 x 40" in draw(Case())


@pytest.mark.parametrize("case", CASES)
def test_slic3r_takes_the_files_for_binary_ones(case):
    """Its reader looks for a byte above 127 in the first 128 of the triangles, and calls a file without one text."""
    for name, body in bodies(case).items():
        assert max(as_stl(body)[84 : 84 + 128]) > 127, name


def test_normals_point_out_as_the_corners_turn():
    assert normal(((0, 0, 0), (2, 0, 0), (0, 2, 0))) == (0, 0, 1)
    assert normal(((0, 0, 0), (0, 3, 0), (2, 0, 0))) == (0, 0, -1)
    for body in bodies(Case()).values():
        assert {tuple(map(abs, normal(triangle))) for triangle in body} == {(1, 0, 0), (0, 1, 0), (0, 0, 1)}
