"""The page that puts a table on a chip, in Chromium: the chip's loader is a model, the table behind it the virtual
serial board; the cable may be cut at any moment.
"""

import hashlib
import random
import re

import pytest

from host_tools.look.published import build, flash, pages
from host_tools.look.published.flash import make_flash_pages, make_images, make_loader
from host_tools.maker.device.filesystem import make_filesystem
from host_tools.maker.device.flash import read_sums
from host_tools.maker.device.package import build_package
from tests.host_tools.published.chip_server import FILES_AT, STAND_IN, ChipServer, make_python
from tests.host_tools.web.browser import Window
from tests.patience import wait_for

pytestmark = [pytest.mark.everything, pytest.mark.browser, pytest.mark.npm]

S3, ESP32 = 9, 0
GOOD = make_python(S3, 0)


@pytest.fixture(scope="module")
def files():
    """What the page needs of the site."""
    found = {**make_flash_pages(), **make_images(), **make_loader(build.WORK)}
    found.update({name: (build.OWN / name).read_bytes() for name in ("pages.css", "pages.js", "version.js")})
    return {**found, **{name: b"" for name in ("site.webmanifest", "play/cards/back.svg", "sw.js")},
            "boards/index.html": b""}


@pytest.fixture
def window(chromium, kept_pages):
    """Pages whose socket may break."""
    made = Window(chromium, kept_pages)
    yield made
    made.close()
    errors = [error for error in made.errors if "WebSocket" not in error and "ERR_" not in error
              and "Failed to load resource" not in error]
    assert not made.broken and not errors, (made.broken, errors)


def open_page(window, server, path="flash/", size=(1280, 800), has_serial=True):
    page = window.open("about:blank", size=size, service_workers="block")
    if has_serial:
        page.add_init_script(path=STAND_IN)
    else:
        page.add_init_script("Object.defineProperty(navigator, 'serial', {value: undefined});")
    page.goto(server.address + path)
    page.wait_for_selector("#flash[data-busy=no]")
    return page


def choose(page, content=GOOD, name="ESP32_GENERIC_S3-v1.29.0.bin", board="esp32s3_7seat"):
    """Choose board and file; the key of what is said of it."""
    page.select_option("#board", board)
    page.set_input_files("#file", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
    page.wait_for_selector("#checked[data-key]:not([data-key=''])")
    return page.get_attribute("#checked", "data-key")


def write(page, key):
    """Write until that is said."""
    page.click("#write:not([disabled])")
    page.wait_for_selector(f"#said[data-key={key}]")
    page.wait_for_selector("#flash[data-busy=no]")


def ask(page, button, *keys):
    """Press a button of the table; which of the keys was said. A busy machine may not give the prompt at once."""
    for _ in range(20):
        page.click(f"#{button}:not([disabled])")
        page.wait_for_selector("#flash[data-busy=yes], #told[data-key]")
        page.wait_for_selector("#flash[data-busy=no]")
        key = page.get_attribute("#told", "data-key")
        if key != "noPrompt":
            break
    print(page.inner_text("#log"))
    assert key in keys, (key, page.inner_text("#told"))
    return key


@pytest.mark.micropython
def test_a_chip_becomes_a_table_that_its_doctor_finds_well(window, files, tmp_path):
    with ChipServer(files, tmp_path, board="esp32s3_4seat") as server:
        page = open_page(window, server)
        assert choose(page, board="esp32s3_4seat") == "good"
        assert hashlib.sha256(GOOD).hexdigest() in page.inner_text("#checked")
        write(page, "written")
        files_of_8 = make_filesystem(build_package("esp32s3_4seat"), 8)
        flash = server.chip.flash
        assert flash[:len(GOOD)] == GOOD and flash[FILES_AT:FILES_AT + len(files_of_8)] == files_of_8
        assert server.chip.stubs == 1 and server.bauds[0] == 115200 and 460800 in server.bauds
        page.wait_for_selector("#log:has-text('cardtable on esp32s3_4seat')")
        ask(page, "doctor", "healthy")
        assert "Reader 4: version 0x92" in page.inner_text("#log")
        assert ask(page, "cards", "noKey") == "noKey"
        wait_for(lambda: page.inner_text("#log").count("cardtable on") > 1, "the page", "the table, started again")
        server.cut()
        page.wait_for_selector("#told[data-key=lost]")
        assert page.is_disabled("#doctor") and page.is_enabled("#open")


def test_a_cut_at_any_moment_is_one_sentence_and_it_begins_again(window, files, tmp_path):
    with ChipServer(files, tmp_path) as server:
        page = open_page(window, server)
        choose(page)
        server.start = server.chip.start = lambda: None
        write(page, "written")
        whole, commands = bytes(server.chip.flash), server.chip.count
        page.wait_for_selector("#told[data-key=listens]")
        chance = random.Random(35)
        # The first commands, while the loader is looked for; then anywhere: stub, speed, both files, their sums.
        moments = [1, 9, *sorted(chance.sample(range(10, commands), 5)), commands]
        for moment in moments:
            server.chip.flash[:] = b"\xff" * len(whole)
            server.chip.count, server.chip.cut_at = 0, moment
            write(page, "cut")
            assert page.inner_text("#said").count(".") <= 2 and page.is_enabled("#write")
        server.chip.count = server.chip.cut_at = 0
        write(page, "written")
        assert bytes(server.chip.flash) == whole


def test_what_is_wrong_with_chip_or_port_is_one_sentence(window, files, tmp_path):
    with ChipServer(files, tmp_path) as server:
        server.chip.start = lambda: None
        page = open_page(window, server, "flash/ru.html")
        choose(page)
        page.evaluate("window.refusesPort = true")
        write(page, "noPort")
        page.evaluate("window.refusesPort = false")
        server.is_plugged = False
        write(page, "busy")
        server.is_plugged = True
        server.chip.kind = "ESP32"
        write(page, "notThisChip")
        assert "ESP32-S3" in page.inner_text("#said")
        server.chip.kind = "ESP32-S3"
        server.chip.id = 0x1940C8
        write(page, "noSize")
        server.chip.id = 0x1740C8
        server.chip.spoils = True
        write(page, "differs")
        write(page, "written")
        assert not re.search("[A-Za-z]{4}", page.inner_text("#said"))


def test_a_file_is_looked_at_before_anything_is_written(window, files, tmp_path):
    other, small = make_python(ESP32, 0x1000), make_python(S3, 0, text=b"nothing of the kind")
    damaged = bytearray(GOOD)
    damaged[0x10000 + 5000] ^= 4
    with ChipServer(files, tmp_path) as server:
        page = open_page(window, server)
        for content, key in ((b"UF2\n" * 99, "noImage"), (other, "otherChip"), (bytes(damaged), "damaged"),
                             (GOOD[:-9], "damaged"), (small, "noPython"), (b"", "noImage"),
                             (make_python(S3, 0, text=b"MicroPython v1.27.0 on 2025"), "goodOther"),
                             (make_python(S3, 0, files_at=0x230000), "goodRom"), (GOOD, "good")):
            assert choose(page, content) == key
            assert page.is_enabled("#write") == key.startswith("good")
        page.select_option("#board", "esp32_devkit_7seat")
        page.wait_for_selector("#checked[data-key=otherChip]")
        assert choose(page, other, board="esp32_devkit_7seat") == "goodSmall"
        assert choose(page, other, board="esp32_wrover_7seat") == "good"


def test_a_list_of_published_sums_is_held_against_the_file(window, files, tmp_path, monkeypatch):
    """As long as nobody has filled it, the page says that it has none."""
    name, sums = "ESP32_GENERIC_S3-v1.29.0.bin", tmp_path / "sums.txt"
    sums.write_text(f"# typed in for a release\n{hashlib.sha256(GOOD).hexdigest().upper()}  {name}\n")
    monkeypatch.setattr(flash, "read_sums", lambda: read_sums(sums))
    for made, told in ((files, "sumNoList"), ({**files, **make_flash_pages()}, "sumListed")):
        with ChipServer(made, tmp_path) as server:
            page = open_page(window, server)
            assert choose(page) == "good"
            assert page.get_attribute("#checked", "data-sum") == told
    with ChipServer({**files, **make_flash_pages()}, tmp_path) as server:
        page = open_page(window, server, path="flash/ru.html")
        other = make_python(S3, 0, text=b"MicroPython v1.29.0 of somebody else")
        assert choose(page, other) == "otherSum" and page.is_disabled("#write")
        assert choose(page, other, name="mine.bin") == "good" and page.is_enabled("#write")
        assert page.get_attribute("#checked", "data-sum") == "sumUnlisted"
        assert hashlib.sha256(other).hexdigest() in page.inner_text("#checked")


def test_an_esp32_with_a_rom_partition_gets_micropython_alone(window, files, tmp_path):
    content = make_python(ESP32, 0x1000, files_at=0x230000)
    with ChipServer(files, tmp_path, kind="ESP32", flash_mb=4, board="esp32_devkit_7seat") as server:
        page = open_page(window, server)
        assert choose(page, content, board="esp32_devkit_7seat") == "goodRom"
        page.select_option("#speed", "115200")
        write(page, "writtenRom")
        assert server.chip.flash[0x1000:0x1000 + len(content)] == content
        assert set(server.chip.flash[FILES_AT:]) == {0xFF} and set(server.bauds) == {115200}


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_browser_without_web_serial_says_what_to_type(window, files, tmp_path, size):
    with ChipServer(files, tmp_path) as server:
        page = open_page(window, server, size=size, has_serial=False)
        assert page.is_visible("#none") and page.is_disabled("#write") and page.is_disabled("#open")
        assert "make flash BOARD=esp32s3_4seat" in page.inner_text("#clone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with page.expect_download() as brought:
            page.click("#images button:has-text('esp32s3_4seat-16')")
        content = brought.value.path().read_bytes()
        assert content == make_filesystem(build_package("esp32s3_4seat"), 16)
        page.route("**/*.bin", lambda route: route.abort())
        page.click("#images button:has-text('esp32s3_4seat-16')")
        page.wait_for_selector("#saved:has-text('did not come')")


def test_the_licences_of_what_is_served_stand_beside_it(files):
    text = files["flash/licences.txt"].decode()
    assert all(words in text for words in ("Apache License", "pako", "atob-lite", "zlib licence", "MIT licence"))
    assert pages.POLICY in files["flash/index.html"].decode()
