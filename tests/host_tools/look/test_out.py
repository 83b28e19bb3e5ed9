"""N2: in a replay a player who is out says so, and no refusal stands beside that name any more."""

from host_tools.look.frames import make_frames
from host_tools.sight.recorded import PUBLIC, read_record
from tests.conftest import ROOT

LATE = ROOT / "tests" / "records" / "durak" / "variant-jokers.rec"  # the stock goes, and two go out before its end


def test_who_is_out_says_so_and_no_light_of_theirs_is_red():
    record = read_record(LATE)
    frames = make_frames(record, "en", record.readers()[:1])["views"][PUBLIC]["frames"]
    now = {"roles": {}, "refusals": [], "lights": []}
    outs = set()
    for frame in frames:
        now.update({name: frame[name] for name in now if name in frame})
        out = {int(seat) for seat, role in now["roles"].items() if role == "out"}
        outs |= out
        assert not out & {one["seat"] for one in now["refusals"]}, frame
        assert all(now["lights"][seat - 1] != "refused" for seat in out), frame
    assert len(outs) >= 2
