"""What is printed or read by itself, a sheet and an analysis: axe finds nothing, on a laptop and on a phone."""

import pytest

from host_tools.look.answer import answer
from host_tools.look.sheet import make_sheet
from host_tools.minds.analysis.served import make_analysis
from host_tools.sight.recorded import ALL, read_record
from tests.conftest import ROOT
from tests.host_tools.web.browser import check_axe

pytestmark = pytest.mark.browser

IS_WHOLE = "Array.from(document.querySelectorAll('.scroll')).every((one) => one.scrollWidth <= one.clientWidth)"
RECORDS = ROOT / "tests" / "records" / "durak"


def sheet():
    record = read_record(RECORDS / "variant-jokers.rec")
    return make_sheet(answer(record, record.reader(ALL), 405, "ru"))


def analysis():
    path = RECORDS / "variant-draw.rec"
    return make_analysis(path.name, path.read_bytes(), None, "ru", "view", "/")


@pytest.mark.parametrize("make", [sheet, pytest.param(analysis, marks=pytest.mark.everything)])
def test_axe_finds_nothing_on_what_is_printed(chromium, make):
    page = chromium.new_page()
    page.set_content(make())
    for width, height in ((1280, 800), (390, 844)):
        check_axe(page, (width, height))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(IS_WHOLE) or make is sheet, width  # no table of an analysis has to be moved sideways
    page.close()
