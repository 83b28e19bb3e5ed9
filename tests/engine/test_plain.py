"""The usual answers of a game that says nothing else: the last table of docs/contributing.md."""

from cardtable.engine import plain
from cardtable.engine.event import DRAW
from cardtable.engine.verdict import T4_NOT_ASKED


def test_the_usual_answers():
    """They need neither state nor event."""
    assert plain.undoes(None, DRAW) == 1, "T7: it may be taken back"
    assert plain.judge_lead(None, 1) == T4_NOT_ASKED
    assert plain.enact_lead(None, 1) is None
    assert plain.due_ms(None) == -1, "the table itself never speaks"
    assert plain.press_first(None) == 1
    assert plain.is_calm(None) is True and plain.has_verb(None, DRAW) is True
    for answer in (plain.move_on(None, 1), plain.fill_light(None, 1, 0), plain.more_keys(None), plain.hint(None)):
        assert answer == 0 and answer is not None
    for count in (plain.count_missing, plain.count_face_down, plain.count_to_draw, plain.went_out):
        assert count(None, 1) == 0, count
    assert plain.fact(None, None, 8) == ""
    out = []
    plain.choices(None, 1, DRAW, out)
    plain.opens(None, None, out)
    assert out == []
