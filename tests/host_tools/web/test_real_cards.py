"""Real cards on phones: Chromium with a stand-in for Web NFC, over HTTPS with a certificate that signs itself."""

import os

import pytest

from cardtable.engine.deck import card_number
from host_tools.cli import run
from host_tools.club.wire.certificate import make
from host_tools.play.acts import Actor
from host_tools.judge.sentences import Sentences
from host_tools.play.readers.readers import COMMON
from host_tools.play.readers.usb import UsbReaders
from tests.host_tools.play.real_evening import Evening, uid_of
from tests.host_tools.play.test_readers import Real
from tests.host_tools.play.test_usb import Scard
from tests.host_tools.web.alone import until
from tests.host_tools.web.browser import FRAMES, check_axe
from tests.host_tools.web.served import pass_time
from tests.host_tools.web.test_pictures import take
from tests.host_tools.web.web_nfc import STAND_IN, STRANGER, hold
from tests.patience import wait_for

RUNS_ON = "cpython"  # host tools
pytestmark = pytest.mark.browser
PHONE = (390, 844)


class Phones:
    """Pages of a RealTable, each in a browser of its own."""

    def __init__(self, window, served):
        self.window, self.served = window, served
        seating = served.table.seating
        self.secrets = {0: seating.host, "common": seating.common, "public": ""}
        self.secrets.update({seat: chair.secret for seat, chair in seating.chairs.items()})

    def open(self, who, size=PHONE, language="en", script=STAND_IN):
        page = self.window.open("about:blank", size, ignore_https_errors=True, locale=language)
        page.add_init_script(script)
        page.goto(f"{self.served.address}/#{self.secrets[who]}")
        page.wait_for_selector("body[data-open=yes]", state="attached")
        return page

    def picture(self, page, name):
        """In both languages, for people who look: CARDTABLE_LOOK names a folder."""
        folder, before = os.environ.get("CARDTABLE_LOOK"), page.evaluate("document.documentElement.lang")
        for language in ("en", "ru", before) if folder else ():
            speak(page, language)
            page.screenshot(path=f"{folder}/{name}-{language}.png")


@pytest.fixture
def secure(tmp_path):
    """The folder of a certificate."""
    make(tmp_path / "certificate", ["localhost"])
    return tmp_path / "certificate"


def speak(page, language):
    """The reader of the page chooses another language."""
    page.evaluate("""(language) => {
        document.querySelector("#tools [data-act=reading]").click();
        const list = document.querySelector("#dialog [data-act=page-language]");
        list.value = language;
        list.dispatchEvent(new Event("change"));
        document.querySelector("#dialog [data-act=close]").click();
    }""", language)
    page.wait_for_selector(f"html[lang={language}]")
    page.evaluate(FRAMES)


def pretend(page, thing, name, value):
    """That property of the browser has another value from now on."""
    page.evaluate("([thing, name, value]) => Object.defineProperty(window[thing], name, {value, configurable: true})",
                  [thing, name, value])


def said(page, selector="#real .trouble"):
    return page.locator(selector).inner_text()


def check_why_not(phones, page):
    """A browser that can read no cards says why, and goes on as screen and buttons."""
    for thing, name, value, why, language, words in (
            ("navigator", "userAgent", "iPhone", "iphone", "en", "An iPhone lets no web page read cards"),
            ("navigator", "userAgent", "Android", "none", "ru", "Этот браузер карты не читает"),
            ("window", "isSecureContext", False, "plain", "en", "begins with https")):
        pretend(page, thing, name, value)
        speak(page, language)  # draws everything anew
        page.wait_for_selector(f"#real [data-why={why}]:has-text('{words}')")
        phones.picture(page, f"no-nfc-{why}")


def type_tags(served, table, plain):
    """A USB reader that types like a keyboard, at the page of one seat; what is typed elsewhere is no tag."""
    plain.keyboard.type("04330102030405\n")
    plain.click("#real [data-act=read-keys]")
    plain.wait_for_selector("#real [data-act=stop-reading]")
    served.wait(lambda: table.readers.find(2) and table.readers.find(2).kind == "keys", "a reader that types")
    typed = table.readers.find(2)
    # A reader types at once; our keys have pauses between them.
    plain.evaluate("Object.defineProperty(Event.prototype, 'timeStamp', {configurable: true, get: () => 0})")
    for text, taps, lies in (("04330102030405\n", 1, "04330102030405"), ("0433\n", 1, "04330102030405"),
                             ("0000000012\n", 2, "0000000c"), ("04A1B2C3D4\n", 2, "0000000c"),
                             ("04a1b2c3d4e5f6\n", 3, "04a1b2c3d4e5f6")):
        plain.keyboard.type(text)
        served.wait(lambda: typed.taps == taps and typed.lies.hex() == lies, f"what {text!r} tells")  # noqa: B023
    plain.click("#real [data-act=stop-reading]")
    plain.wait_for_selector("#real [data-act=read-keys]")
    until(plain, "document.activeElement.localName !== 'button'")  # else the reader's Enter would press what comes next
    plain.keyboard.type("04330102030405\n")
    served.wait(lambda: table.readers.find(2) is None, "no reader")
    assert typed.taps == 3


def test_a_phone_reads_a_deck_and_each_trouble_has_its_sentence(window, tmp_path, secure):
    with Real(tmp_path, size=0, https=secure, speed=8.0) as served:
        table = served.table
        served.wait(lambda: table.phase == "lobby", "the lobby")
        phones = Phones(window, served)
        anna, public = phones.open(1), phones.open("public")
        for name, words in (("NotAllowedError", "You did not allow"), ("NotReadableError", "switched off"),
                            ("NotSupportedError", "has no NFC")):
            anna.evaluate("(name) => { window.refuses = name; }", name)
            anna.click("#real [data-act=read-cards]")
            anna.wait_for_selector(f"#real .trouble:has-text('{words}')")
        anna.evaluate("window.refuses = ''")
        anna.click("#real [data-act=read-cards]")
        anna.wait_for_selector("#real .tap")
        phones.picture(anna, "phone-reads")
        anna.evaluate("window.nfc.onreadingerror()")
        anna.wait_for_selector("#real .trouble:has-text('hold it still')")
        host = phones.open(0)
        host.wait_for_selector(".realhost [data-reads='1'][data-state=reads]")
        host.evaluate("document.querySelector('.realhost').scrollIntoView()")
        phones.picture(host, "host")
        size = host.locator(".realhost [name=size]")
        size.select_option("52")
        size.focus()
        for is_away, theirs, ours in ((True, "is in the background", ""), (False, "", "it reads again now")):
            pretend(anna, "document", "hidden", is_away)
            anna.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
            host.wait_for_selector(f".realhost [data-reads='1']:has-text('{theirs}')" if is_away else
                                   ".realhost [data-reads='1']:not(:has(.trouble))")
            anna.wait_for_selector(f"#real .trouble:has-text('{ours}')")
            assert host.evaluate("[document.activeElement.name, document.activeElement.value]") == ["size", "52"]
        size.select_option("36")
        host.click(".realhost [data-act=enrol]")
        anna.wait_for_selector("#real [data-next='6S']")
        phones.picture(anna, "deck")
        for left, name in ((35, "6S"), (34, "7S")):
            hold(anna, card_number(name))
            anna.wait_for_selector(f"#real [data-left='{left}']")
            wait_for(lambda: len(anna.evaluate("window.written")) == 36 - left, "the test", "what is written")  # noqa: B023
        take(anna, "real/deck.png")
        assert anna.evaluate("window.written[1]").startswith("CT1 7S ")
        anna.click("#real [data-act=take-back]")
        anna.wait_for_selector("#real [data-left='35']")
        anna.click("#real [data-act=end-enrolment]")
        anna.wait_for_selector("#real .tap")
        host.click(".realhost [data-act=throw-out]")
        anna.wait_for_selector("#real .trouble:has-text('lets nobody read')")
        assert public.locator("#real").count() == 0, "a spectator's page does not even load it"
        host.click(".realhost [data-act=allow]")
        host.wait_for_selector(".realhost [data-reads='1'][data-state=reads]")  # by itself: it says "Hold a card"
        host.click(".realhost [data-act=throw-out]")
        anna.wait_for_selector("#real .trouble:has-text('lets nobody read')")
        plain = phones.open(2, script="", language="ru")
        plain.wait_for_selector("#real [data-why=none]")
        phones.picture(plain, "no-nfc")
        check_why_not(phones, plain)
        type_tags(served, table, plain)
        assert Sentences(language="ru").why("another reader reads for this seat").startswith("за это место")


def play_on(served, pages, evening, many=100_000):
    """Let people play with these pages, by seat: cards are held to phones, buttons are pressed on them."""
    table = served.table
    for _ in range(many):
        now = served.read(evening.next)
        if now is None:
            if served.read(lambda: table.session.is_over()):
                return
            pass_time(table, lambda end=table.now_us + 300_000: table.now_us > end, "a moment")
            continue
        seat, deeds = now
        told = served.read(served.count)
        for kind, what in deeds:
            page = pages[seat]
            reader = table.readers.find(COMMON if pages[1] is pages[2] else seat)
            reader._tokens = 10
            if kind == "tap":
                laid = reader.taps
                if reader.seat == COMMON and served.read(lambda: table.owner_of(uid_of(what))) != seat:  # noqa: B023
                    page.click(f"#common .edge[data-seat='{seat}'] [data-act=touch]")
                    wait_for(lambda: table.readers.touched == seat, "the test", "a touched name")  # noqa: B023
                hold(page, what)
                wait_for(lambda: reader.taps > laid, "the test", "a tap at the table")  # noqa: B023
            else:
                done = int(page.get_attribute("body", "data-done"))
                page.click(f"[data-button={what}][data-seat='{seat}']")
                wait_for(lambda: int(page.get_attribute("body", "data-done")) > done, "the test", "a press")  # noqa: B023
        until_us = table.now_us + 4_000_000
        pass_time(table, lambda: served.count() != told or table.now_us > until_us, "an answer")  # noqa: B023


def check_record(served, folder):
    """It is kept, replays with the same verdicts, and its seal holds; its text."""
    table = served.table
    pass_time(table, lambda: table.known.kept, "a record that is kept")
    assert run(["replay", str(folder / table.known.kept)]) == 0
    assert run(["verify", str(folder / table.known.kept), "--key", str(table.flash / "key.bin")]) == 0
    return (folder / table.known.kept).read_text()


@pytest.mark.everything
def test_four_phones_play_a_whole_game_with_a_deck_enrolled_by_phone(window, tmp_path, secure):
    people = "phone:Anna,phone:Boris,phone:Vera,phone:Gleb"
    with Real(tmp_path, people, size=0, https=secure, speed=8.0) as served:
        table = served.table
        served.wait(lambda: table.phase == "lobby", "the lobby")
        phones = Phones(window, served)
        pages = {seat: phones.open(seat, language="ru" if seat == 2 else "en") for seat in (1, 2, 3, 4)}
        for page in pages.values():
            page.click("#real [data-act=read-cards]")
            page.wait_for_selector("#real .tap")
        host = phones.open(0, (1280, 800))
        host.wait_for_selector(".realhost [data-reads='1']")
        host.select_option(".realhost [name=by]", "1")
        host.click(".realhost [data-act=enrol]")
        pages[1].wait_for_selector("#real [data-left='36']")
        table.machine.speed = 40.0
        for at, name in enumerate(table.readers.enrolment.cards):
            pages[1].wait_for_selector(f"#real [data-next='{name}'].now")
            table.readers.find(1)._tokens = 10
            hold(pages[1], card_number(name))
            pages[1].wait_for_selector(f"#real [data-left='{35 - at}']")
        phones.picture(pages[1], "deck-done")
        pages[1].click("#real [data-act=end-enrolment]")
        pages[1].wait_for_selector("#real .tap")
        start(served, ("Anna", "Boris", "Vera", "Gleb"))
        pass_time(table, lambda: table.cards is not None, "a game")
        for page in pages.values():
            page.wait_for_selector("#real .tap")
        phones.picture(pages[1], "game")
        take(pages[3], "real/game.png")
        play_on(served, pages, Evening(table))
        check_record(served, tmp_path)
        window.close()


def start(served, names, game="durak throw-in"):
    """The host begins a game."""
    seats = [{"name": name, "who": "phone"} for name in names]
    act = {"do": "start", "game": game, "seats": seats, "dealer": len(seats)}
    served.read(lambda: Actor(served.table, "host", []).do(act))


@pytest.mark.everything
def test_one_common_phone_plays_a_game_of_two_and_the_record_says_so(window, tmp_path, secure):
    with Real(tmp_path, https=secure, speed=8.0) as served:
        table = served.table
        served.wait(lambda: table.phase == "lobby", "the lobby")
        phones = Phones(window, served)
        host = phones.open(0)
        host.check(".realhost [name=common]")
        host.wait_for_selector(".realhost .url")
        phones.secrets["common"] = table.seating.common
        page = phones.open("common")
        page.click("#common [data-act=read-cards]")
        page.wait_for_selector("#common .tap")
        start(served, ("Anna", "Boris"))
        served.wait(lambda: table.cards is not None, "a game")
        page.wait_for_selector("#common [data-seat='2']")
        phones.picture(page, "common")
        ru = phones.open("common", language="ru", script="")
        ru.wait_for_selector("#common [data-why=none]")
        phones.picture(ru, "common-without")
        text = page.locator("#common").inner_text()
        table.machine.stands_still = True
        play_on(served, {1: page, 2: page}, Evening(table))
        assert "reader: common\n" in check_record(served, tmp_path)
        assert not any(name in text for name in ("6♠", "A♠", "10"))
        window.close()


TURNED = {"south": (1, 0), "west": (0, 1), "north": (-1, 0), "east": (0, -1)}  # where the top of a side's text is


def check_apart(page):
    """The four sides lie on the screen, and none on another."""
    boxes = {seat: page.locator(f"#common .edge[data-seat='{seat}']").bounding_box() for seat in (1, 2, 3, 4)}
    for seat, box in boxes.items():
        right, bottom = box["x"] + box["width"], box["y"] + box["height"]
        assert box["x"] >= 0 and right <= PHONE[0] and box["y"] >= 0 and bottom <= PHONE[1]
        for other, its in boxes.items():
            apart = right <= its["x"] + 1 or its["x"] + its["width"] <= box["x"] + 1 or \
                bottom <= its["y"] + 1 or its["y"] + its["height"] <= box["y"] + 1
            assert other == seat or apart, (seat, other)


@pytest.mark.everything
def test_a_page_for_all_has_buttons_for_four_sides_and_says_where_it_cannot_be(window, tmp_path, secure):
    """And a new USB reader is asked for on the host's page, and on that of the seat."""
    people = "phone:Anna,phone:Boris,phone:Vera,phone:Gleb"
    with Real(tmp_path, people, https=secure, speed=8.0) as served:
        table = served.table
        served.wait(lambda: table.phase == "lobby", "the lobby")
        phones = Phones(window, served)
        usb = served.read(lambda: UsbReaders(table, Scard()))
        served.read(lambda: usb.hear("ACS ACR122U 00 00", "there", b"", b"1-2"))
        host = phones.open(0)
        host.wait_for_selector(".realhost [data-asks='1']")
        assert "A new USB reader" in said(host, ".realhost .asks")
        anna = phones.open(1, language="ru")
        anna.wait_for_selector("#real [data-asks='1']")
        phones.picture(anna, "usb-asks")
        served.read(lambda: usb.hear("ACS ACR122U 00 00", "came", uid_of(0), b""))
        anna.wait_for_selector("#real .tap:not([data-asks])")
        host.wait_for_selector(".realhost [data-reads='1'][data-state=reads]")
        assert not host.locator(".realhost .asks").count()
        served.read(lambda: usb.hear("ACS ACR122U 00 00", "unreadable", b"", b""))
        host.wait_for_selector(".realhost [data-reads='1'] .trouble")
        anna.wait_for_selector("#real .trouble")
        host.evaluate("document.querySelector('.realhost').scrollIntoView()")
        phones.picture(host, "host-usb")
        for one in (host, anna):
            check_axe(one, (1280, 800), PHONE)
        host.click(".realhost [data-act=learn-readers]")
        host.wait_for_selector(".realhost [data-asks='1']")
        host.check(".realhost [name=common]")
        host.wait_for_selector(".realhost .url")
        host.wait_for_selector(".realhost [data-asks='0']")
        phones.secrets["common"] = table.seating.common
        page, ru = phones.open("common"), phones.open("common", language="ru")
        page.click("#common [data-act=read-cards]")
        page.wait_for_selector("#common [data-act=stop-reading]")
        start(served, ("Anna", "Boris", "Vera", "Gleb"))
        served.wait(lambda: table.cards is not None, "a game")
        for one in (page, ru):
            one.wait_for_selector("#common [data-seat='4'] [data-button=MENU]")
        check_axe(ru, (1280, 800), PHONE)
        for side, (across, down) in TURNED.items():
            matrix = page.evaluate("""(side) => {
              const drawn = new DOMMatrix(getComputedStyle(document.querySelector("#common ." + side)).transform);
              return [Math.round(drawn.a), Math.round(drawn.b)]; }""", side)
            assert matrix == [across, down], side
        check_apart(page)
        table.machine.speed = 1.0  # a name that was touched counts for 15 seconds
        page.click("#common .edge[data-seat='3'] [data-act=touch]")
        page.wait_for_selector("#common .whose:has-text('Vera')")
        take(page, "real/common.png")
        page.wait_for_selector("#common [data-seat='3'] [data-act=touch][aria-pressed=true]")
        phones.picture(page, "common-four")
        hold(page, card_number("6S"))
        served.wait(lambda: any(" draw " in f" {line} " for line in served.record()), "a card in a hand")
        assert any(line.startswith("3 draw 6S") for line in served.record())
        page.click("#common .edge[data-seat='3'] [data-act=touch]")
        hold(page, STRANGER)
        page.wait_for_selector("#common .trouble:has-text('Vera: ')")
        phones.picture(page, "common-refused")
        act = {"do": "share", "on": False}
        served.read(lambda: Actor(table, "host", []).do(act))
        served.read(lambda: Actor(table, "host", []).do({"do": "start", "game": "cals-bs ne-veryu", "give_up": True,
            "seats": [{"name": name, "who": "phone"} for name in ("Anna", "Boris", "Vera")], "dealer": 3}))
        served.wait(lambda: table.game is not None and table.game.NAME == "cals-bs" and table.is_playing, "a game")
        phones.secrets["common"] = table.seating.common
        for language, words in (("en", "does not tell whose"), ("ru", "рубашкой вверх")):
            late = phones.open("common", language=language)
            late.wait_for_selector(f"#common [data-why=face-down]:has-text('{words}')")
        phones.picture(late, "common-cannot")
        window.close()
