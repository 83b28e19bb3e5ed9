"""Coming, leaving, coming back: the code of a table, links that are no seats, late phones, names, a second phone."""

import contextlib
import json

import pytest

from host_tools.base.errors import UnusableInput
from host_tools.play.seating import bot_names, HERE, PHONE, Seating, read_seats
from host_tools.play.web import coming
from tests.host_tools.web.browser import resize
from tests.host_tools.web.served import Page, Served

NEAR = "127.0.0.2"  # stands for this computer's address in its network
PEOPLE = [{"name": "Anna", "who": "here"}, {"name": "Vera", "who": "phone"}, {"name": "Gleb", "who": "phone"},
          {"name": "Boris", "who": "bot:beginner"}]


async def ask(page, kind, **fields):
    """A question's answer."""
    page.told.pop(kind, None)
    await page.socket.send_str(json.dumps({"type": kind, **fields}))
    await page.until(lambda: kind in page.told, kind)
    return page.told[kind]


async def come(served, secret, name):
    """A page with that secret, once it knows the table."""
    page = await Page(served.address, secret, name).open()
    await page.until(lambda: "table" in page.told and page.told["table"]["phase"] != "start", "the table")
    return page


def open_cards(told):
    """The cards of hands that a page was told."""
    return [card for pile in told.get("view", {}).get("piles", []) if pile["kind"] == "hand" for card in pile["cards"]]


def test_p_b4_no_code_leads_a_phone_to_itself(tmp_path, monkeypatch):
    """A table of this computer alone gives links without a code, until the host opens it; then phones reach it."""
    monkeypatch.setattr(coming, "own_address", lambda: NEAR)
    with Served(tmp_path, seed=1) as served:

        async def play():
            host = await come(served, served.table.seating.host, "hostpage1")
            await host.done("sit", seat=2, who="phone", name="Vera")
            closed = [await ask(host, "code"), await ask(host, "link", seat=2)]
            watcher = await come(served, "", "watcher11")
            refused = [await ask(watcher, "open"), await ask(watcher, "code")]
            opened = await ask(host, "open")
            link = await ask(host, "link", seat=2)
            phone = await Page(opened["url"].partition("/#")[0], link["url"].partition("#")[2], "phone1234").open()
            await phone.until(lambda: "welcome" in phone.told, "the phone")
            for page in (host, watcher, phone):
                await page.close()
            return closed, refused, opened, link, phone.told["welcome"]

        closed, refused, opened, link, welcome = served.run(play())
    assert all(one["qr"] == "" and one["closed"] for one in closed)
    assert all("qr" not in one and one["why"] for one in refused)
    assert all(one["qr"].startswith("<svg") and one["url"].startswith(f"http://{NEAR}:") for one in (opened, link))
    assert (welcome["role"], welcome["seats"]) == ("seat", [2])


def test_p_b6_one_code_a_name_and_a_free_seat_that_becomes_the_phones_own(tmp_path):
    """In the lobby by name, in a game by seat; a seat is given once, and its old link is none any more."""
    with Served(tmp_path, seed=1, speed=1000.0, waits_for_phones=True) as served:
        seating = served.table.seating

        async def play():
            host = await come(served, seating.host, "hostpage1")
            await host.until(lambda: host.told["table"]["phase"] == "lobby", "the lobby")
            guest = await come(served, seating.join, "guestpage")
            nameless = await ask(guest, "join", name=" ")
            mine = await ask(guest, "join", name="Vera")
            seat = next(seat for seat, chair in seating.chairs.items() if chair.secret == mine["secret"])
            vera = await come(served, mine["secret"], "verapage1")
            await host.until(lambda: host.told["table"]["guests"] == {str(seat): "Vera"}, "the guest")
            people = [one for one in PEOPLE if one["name"] != "Vera"]
            people.insert(seat - 1, {"name": "Vera", "who": "phone"})
            await host.done("start", game="durak simple deck=24", seats=people, dealer=4)
            gleb = [one["name"] for one in people].index("Gleb") + 1
            await host.until(lambda: host.told["table"].get("awaited") == [gleb], "a game that waits for Gleb")
            old = seating.chairs[gleb].secret
            hands = [one for one in host.told["view"]["piles"] if one["kind"] == "hand"]
            waits = [one["words"] for one in host.told["view"]["waits"]]
            waits += [one["prompt"] for one in host.told["can"]["seats"] if one["prompt"]]
            taken = await ask(guest, "join", seat=seat)
            his = await ask(guest, "join", seat=gleb)
            late = await come(served, his["secret"], "glebpage1")
            await host.until(lambda: host.told["table"]["phase"] == "play", "the deal")
            wrong = await come(served, old, "wrongpage")
            for page in (host, guest, vera, late, wrong):
                await page.close()
            welcomes = [one.told["welcome"] for one in (vera, late, wrong)]
            return nameless, taken, hands, waits, *welcomes, seat, gleb

        nameless, taken, hands, waits, vera, late, wrong, seat, gleb = served.run(play())
    assert nameless["why"] and taken["why"] == "somebody sits there: choose another seat"
    assert hands == []  # nothing was dealt before everybody was here
    assert set(waits) == {"The table waits for Gleb."}  # it said that the cards are dealt
    assert (vera["seats"], late["seats"]) == ([seat], [gleb])
    assert wrong["role"] == "public" and wrong["wrong"] and not vera["wrong"]


def test_f5_a_second_phone_on_one_link_is_told_and_a_lost_one_is_gone_and_not_late(tmp_path):
    people = [("Anna", "here"), ("Vera", "phone")]
    with Served(tmp_path, seed=1, speed=1000.0, game="durak simple", seats=people) as served:
        seating = served.table.seating

        def vera_of(page):
            return page.told["table"]["seats"][1] if page.told["table"]["seats"] else {}

        async def play():
            host = await come(served, seating.host, "hostpage1")
            await host.until(lambda: vera_of(host), "the game")
            seen = [vera_of(host)]
            first = await come(served, seating.chairs[2].secret, "phone1111")
            second = await come(served, seating.chairs[2].secret, "phone2222")
            await first.until(lambda: vera_of(first).get("twice") and vera_of(second).get("twice"), "two phones")
            await host.until(lambda: vera_of(host)["twice"], "two phones")
            await second.close()
            await host.until(lambda: not vera_of(host)["twice"], "one phone")
            await first.close()
            await host.until(lambda: not vera_of(host)["there"], "none")
            seen.append(vera_of(host))
            await host.close()
            return seen

        late, gone = served.run(play())
    assert (late["there"], late["came"]) == (False, False) and (gone["there"], gone["came"]) == (False, True)


def test_t11_a_link_of_the_game_before_hears_no_card_of_the_next_one(tmp_path):
    """Its seat is another's as the next game begins, which is behind the host's act."""
    people = [("Anna", "here"), ("Vera", "phone")]
    with Served(tmp_path, seed=1, speed=1000.0, game="durak simple", seats=people) as served:
        seating = served.table.seating

        async def play():
            host = await come(served, seating.host, "hostpage1")
            phone = await come(served, seating.chairs[2].secret, "phone1111")
            await phone.until(lambda: open_cards(phone.told), "its cards")
            phone.raw.clear()
            people = [{"name": "Anna", "who": "here"}, {"name": "Vera", "who": "here"}]
            assert (await host.done("start", game="durak simple", seats=people, dealer=1, give_up=True))["ok"]
            await phone.until(lambda: phone.told["welcome"]["role"] == "public", "its new part")
            await host.until(lambda: {one["seat"] for one in host.told["can"]["seats"]} == {1, 2}, "both seats")
            await host.until(lambda: len(open_cards(host.told)) > 2, "cards")
            for page in (host, phone):
                await page.close()
            return [json.loads(text) for text in phone.raw]

        told = served.run(play())
    kinds = [one["type"] if one["type"] != "table" else one["phase"] for one in told]
    part = kinds.index("welcome")
    assert part < kinds.index("deal") and "view" in kinds[part:]
    assert not [card for one in told[part:] if one["type"] == "view" for card in open_cards({"view": one})]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_n1_any_name_may_sit_down(language):
    """Each name of a virtual player as a person's, in each seat; two people cannot have one."""
    for name in bot_names(language):
        for at in range(4):
            words = ["bot"] * 4
            words[at] = f"phone:{name}"
            people = read_seats(",".join(words), language)
            names = [one for one, _ in people]
            assert people[at] == (name, PHONE) and len(set(names)) == 4
            assert set(names) <= set(bot_names(language))
    with pytest.raises(UnusableInput, match="two seats have the same name"):
        read_seats("Vera,Vera", language)


def test_links_of_an_older_table_stay_good(tmp_path):
    """Its file has no code and says nothing of who has come."""
    kept = Seating(tmp_path)
    kept.sit(2, PHONE, "Vera")
    path = tmp_path / "seating.json"
    old = json.loads(path.read_text())
    del old["join"]
    for chair in old["chairs"].values():
        del chair["came"]
    path.write_text(json.dumps(old))
    again = Seating(tmp_path)
    assert (again.host, again.chairs[2].secret) == (kept.host, kept.chairs[2].secret) and again.join != kept.join
    assert again.of_secret(again.join) == ("join", []) and again.of_secret(kept.join) == ("public", [])


@pytest.mark.browser
@pytest.mark.micropython
def test_f6_the_code_for_awaited_phones_is_large_and_hides_no_button(tmp_path, window, monkeypatch):
    monkeypatch.setattr(coming, "own_address", lambda: NEAR)
    seats = [("Anna", HERE), ("Vera", PHONE)]
    wishes = {"game": "durak", "seats": seats, "waits_for_phones": True}
    with Served(tmp_path, seed=5, **wishes) as served, contextlib.closing(window):
        page = window.open(served.link(), (640, 400), reduced_motion="reduce")
        page.click("#coming [data-act=open]")
        page.wait_for_selector("#coming img.code")
        for size, least in (((640, 400), 270), ((844, 390), 270), ((390, 844), 230), ((1280, 800), 340)):
            resize(page, *size)
            assert page.locator("#coming .code").bounding_box()["width"] >= least, size
            box = page.locator("#coming [data-act=begin]").bounding_box()
            assert box["y"] + box["height"] <= page.locator("#coming .card-panel").bounding_box()["y"] + page.locator(
                "#coming .card-panel").evaluate("(one) => one.clientHeight") <= size[1], size
