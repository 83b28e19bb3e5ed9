"""`cardtable device put`: a file is read as the table would read it before anything is copied."""

import shutil
from types import SimpleNamespace

import pytest

from boards import virtual
from host_tools.cli import run
from host_tools.maker.device import put
from host_tools.maker.device.deploy import Installed
from host_tools.maker.device.put import Around, check, look_around
from host_tools.maker.device.table import Table
from host_tools.base.errors import UnusableInput
from host_tools.virtual.fingers import deck_lines
from host_tools.virtual.serial_board import SerialBoard
from host_tools.virtual.world import World
from tests.host_tools.device.toy import TABLE_SPEED

NETWORK = ("; the club's\nssid: Club Wi-Fi\npassword: pass: word\nbroker: mqtts://192.0.2.7\n"
           "account: club-north-2 hidden\ntournament: autumn-cup\n")
SETUP = "cardtable 1\nprofile: strict\nseats: Anna; Boris\ndealer: 2\n\n"


@pytest.mark.parametrize("name, text, said", [
    ("deck2.txt", "".join(deck_lines()), "108 cards"),
    ("tags.txt", "04A1B2C3D4E580 arbiter\n04A1B2C3D4E581 setup House 1\n", "2 tags"),
    ("profiles.txt", "; ours\nDacha: durak transfer teams=2x2\nclub: bailiff\n", "2 rules"),
    ("setup.txt", SETUP, "durak throw-in"),
    ("language.txt", "ru\n", "ru"),
    ("sound.txt", "no\n", "no"),
    ("network.txt", NETWORK, "club-north-2 of autumn-cup, at mqtts://192.0.2.7:8883"),
    ("network.txt", "ssid: A\nbroker: mqtt://192.0.2.7:77/\ntournament: t\ntable: a\n", "a of t, at mqtt://192.0.2.7:77"),
    ("delays.txt", "; who waits\nVera: handicap=3.0 own_clock=90\nGleb: own_clock=60\n", "2 players"),
])
def test_what_is_right_is_told_in_a_few_words(name, text, said):
    assert check(name, text.encode(), Around()) == said


@pytest.mark.parametrize("name, data, why", [
    ("notes.txt", b"hello", "notes.txt is no file that a table reads"),
    ("deck.txt", b"04A1B2C3D4E580 6S\n04A1B2C3D4E581 6S\n", "deck.txt: line 2: the deck has two tags for 6S"),
    ("tags.txt", b"04A1B2C3D4E580 judge\n", "tags.txt: line 1: it takes"),
    ("profiles.txt", b"Dacha: durak transfer jokers=any\n", "Dacha: jokers=any does not go with deck=36"),
    ("profiles.txt", b"Dacha: durak transfer decks=52\n", "Dacha: decks=52 is nothing that durak has"),
    ("profiles.txt", b"Dacha: chess\n", "Dacha: no game chess on this table"),
    ("profiles.txt", b"; ours\nHouse 1:\n", "profiles.txt, line 2: 'House 1:': a line takes NAME: GAME [PRESET]"),
    ("profiles.txt", b"\xff\n", "profiles.txt is no text"),
    ("profiles.txt", b"; nothing\n", "it has no line NAME: GAME"),
    ("setup.txt", SETUP.replace("strict", "none").encode(), "profile: none is none of"),
    ("setup.txt", SETUP.replace("dealer", "seats").encode(), "setup.txt, line 4: seats: is said twice"),
    ("setup.txt", b"cardtable 1\ngame: durak\nseats: Anna\ndealer: 1\n\n", "durak is for 2 to 6 seats, not 1"),
    ("language.txt", b"fi\n", "it takes one of: en ru"),
    ("sound.txt", b"loud\n", "it takes yes or no"),
    ("delays.txt", b"Vera: handicap=9\n", "Vera: handicap=1:9: it takes seconds from 0 to 4 (C11)"),
    ("delays.txt", b"Vera: own_clock=1.5\n", "Vera: own_clock=1:1.5: it takes whole seconds (T8)"),
    ("delays.txt", b"Vera: clock=30\n", "clock is nothing that is said of a player; these are: handicap, own_clock"),
    ("delays.txt", b"Vera 3\n", "'Vera 3': a line takes NAME: OPTION=SECONDS"),
    ("network.txt", b"ssid Club\n", "network.txt, line 1: it takes lines `KEY: VALUE` with one of: ssid password"),
    ("network.txt", b"ssid: A\nssid: B\n", "network.txt, line 2: ssid: is said twice"),
    ("network.txt", b"ssid: A\n", "network.txt: it has no line broker: ..."),
    ("network.txt", NETWORK.replace("192.0.2.7", "club.example").encode(), "its address is four numbers"),
    ("network.txt", NETWORK.replace("192.0.2.7", "192.0.2.256").encode(), "its address is four numbers"),
    ("network.txt", NETWORK.replace("mqtts:", "mqtt:").encode(), "its password travels only with TLS"),
    ("network.txt", NETWORK.replace("mqtts:", "https:").encode(), "it takes mqtts://ADDRESS:PORT or mqtt://"),
    ("network.txt", NETWORK.replace("192.0.2.7", "192.0.2.7:99999").encode(), "it takes mqtts://ADDRESS:PORT"),
    ("network.txt", NETWORK.replace(" hidden", "").encode(), "account: it takes a name and a password"),
    ("network.txt", NETWORK.replace("autumn-cup", "Autumn cup").encode(), "tournament: a name has a to z"),
    ("broker.pem", b"no certificate", "it is no certificate: bring the broker's broker.pem"),
    ("deck.txt", b"; \n" * 4000, "12000 bytes, and a table reads 8192 at most"),
])
def test_what_is_wrong_is_one_sentence(name, data, why):
    with pytest.raises(UnusableInput) as caught:
        check(name, data, Around())
    assert why in str(caught.value) and "hidden" not in str(caught.value) and "pass: word" not in str(caught.value)


@pytest.mark.parametrize("name, text, around, why", [
    ("setup.txt", SETUP.replace("strict", "Dacha"), Around(profiles="Dacha: durak jokers=any\n"), "jokers=any does"),
    ("setup.txt", SETUP.replace("\n\n", "\nplaces: 1 5\n\n"), Around(places=4), "setup.txt: this table has no place 5"),
    ("tags.txt", "04A1B2C3D4E580 arbiter\n", Around(decks={"deck2.txt": "; 36 cards\n04a1b2c3d4e580 6S\n"}),
     "tags.txt: 04A1B2C3D4E580 stands in the table's deck2.txt, too"),
    ("deck.txt", "04A1B2C3D4E580 6S\n", Around(tags="04A1B2C3D4E580 player Vera\n"),
     "deck.txt: 04A1B2C3D4E580 stands in the table's tags.txt, too"),
])
def test_what_does_not_go_with_the_tables_other_files_is_one_sentence(name, text, around, why):
    with pytest.raises(UnusableInput) as caught:
        check(name, text.encode(), around)
    assert why in str(caught.value)


@pytest.mark.parametrize(("board", "places"), [("esp32s3_4seat", 4), ("nobodys", 7), ("", 7)])
def test_a_table_has_the_places_of_its_board(board, places, monkeypatch):
    installed = Installed("a", "good", {"a": (f"cardtable 0.1.0 {board}", {})} if board else {})
    monkeypatch.setattr(put, "look", lambda table: installed)
    assert look_around(SimpleNamespace(call=lambda *words: []), "setup.txt").places == places


@pytest.mark.micropython
def test_a_file_gets_onto_the_table_and_a_wrong_one_does_not(tmp_path, deployed, shims, capsys):
    shutil.copyfile(deployed, tmp_path / "flash.bin")
    right, wrong = tmp_path / "profiles.txt", tmp_path / "language.txt"
    right.write_text("\ufeffDacha: durak transfer teams=2x2\n", encoding="utf-8")
    wrong.write_text("fi\n")
    with SerialBoard(World(virtual), tmp_path / "flash.bin", shims, speed=TABLE_SPEED) as board:
        board.wait_for("cardtable on virtual")
        assert run(["device", "put", "--port", board.port, str(right)]) == 0
        assert capsys.readouterr().out == "profiles.txt: 1 rules\n"
        assert run(["device", "put", "--port", board.port, str(wrong)]) == 2
        setup, tags = tmp_path / "setup.txt", tmp_path / "tags.txt"
        setup.write_text(SETUP.replace("strict", "Dacha").replace("Anna; Boris", "A; B; C; D"))
        tags.write_text("04A1B2C3D4E580 arbiter\n")
        assert run(["device", "put", "--port", board.port, str(setup), str(tags)]) == 0, "the table has its profile"
        assert capsys.readouterr().out == "setup.txt: durak transfer teams=2x2\ntags.txt: 1 tags\n"
        with Table(board.port) as table:
            table.stop()
            assert look_around(table, "deck.txt").tags == tags.read_text()
            assert table.read("/profiles.txt") == b"Dacha: durak transfer teams=2x2\n", "without an editor's mark"
            assert table.call("read_text", "/language.txt") != "fi\n"
