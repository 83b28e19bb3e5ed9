"""No assert looks at a page straight behind an act: the check, tried on tests that do."""

import pytest

from tests.tidy import looking

FILE = "tests/host_tools/web/test_x.py"
TEST = "@pytest.mark.browser\ndef test_x(page, fake):\n    "


def findings(*lines):
    return looking.check_looking(FILE, TEST + "\n    ".join(lines) + "\n")


@pytest.mark.parametrize("lines", [
    ("page.click('a')", "assert page.locator('b').inner_text() == 'c'"),
    ("page.keyboard.press('m')", "assert page.evaluate('document.title') == 'c'"),
    ("page.locator('a').fill('x')", "text = page.locator('b').inner_text()", "assert text == 'c'"),
    ("fake.push(message)", "assert not page.locator('dialog').is_visible()"),
    ("with served:", "    page.mouse.up()", "    assert find_covered(page) == []"),
])  # fmt: skip
def test_a_look_behind_an_act(lines):
    (found,) = findings(*lines)
    assert found.text.endswith("wait for what it shows") and found.line > 3


@pytest.mark.parametrize("lines", [
    ("page.click('a')", "page.wait_for_selector('b')", "assert page.locator('b').inner_text() == 'c'"),
    ("page.click('a')", "until(page, 'window.done')", "assert page.evaluate('window.count') == 1"),
    ("page.click('a')", "resize(page, 360, 640)", "assert find_covered(page) == []"),
    ("page.click('a')", "assert wait_for_acts(fake, 'tap')[0]['card'] == 'TC'"),
    ("page.click('a')", "assert fake.acts == []"),
    ("assert 'abc'.count('a') == 1",),
])  # fmt: skip
def test_a_look_behind_a_wait(lines):
    assert findings(*lines) == []


def test_a_page_gets_another_size_in_one_place_alone():
    size = "page.set_viewport_size({'width': 1, 'height': 1})"
    (found,) = findings(size, "page.wait_for_selector('b')")
    assert "resize" in found.text
    assert looking.check_looking(looking.RESIZES, size) == []


def test_only_tests_of_pages_are_asked():
    lines = "def test_x(page):\n    page.click('a')\n    assert page.evaluate('b')\n"
    assert looking.check_looking(FILE, lines) == [] and looking.check_looking("host_tools/x.py", TEST + lines) == []
