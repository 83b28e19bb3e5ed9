"""What is printed, a sheet: axe finds nothing, on a laptop and on a phone."""

import pytest

from host_tools.look.answer import answer
from host_tools.look.sheet import make_sheet
from host_tools.sight.recorded import ALL, read_record
from tests.conftest import ROOT
from tests.host_tools.web.browser import check_axe

pytestmark = pytest.mark.browser

RECORDS = ROOT / "tests" / "records" / "durak"


def sheet():
    record = read_record(RECORDS / "variant-jokers.rec")
    return make_sheet(answer(record, record.reader(ALL), 405, "ru"))


def test_axe_finds_nothing_on_what_is_printed(chromium):
    page = chromium.new_page()
    page.set_content(sheet())
    for width, height in ((1280, 800), (390, 844)):
        check_axe(page, (width, height))
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()
