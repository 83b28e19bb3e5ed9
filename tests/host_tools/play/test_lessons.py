"""First games: their files are right, and a person who knows only what the page says plays them to the end."""

import re
from types import SimpleNamespace

import pytest

from cardtable.engine.event import Event, find_verb, unpack
from cardtable.engine.session import Session
from cardtable.games import durak
from host_tools.base.errors import UnusableInput
from host_tools.base.languages import list_languages
from host_tools.base.wording import read_words
from host_tools.judge.sentences import Sentences
from host_tools.play import acts
from host_tools.play.acts import begin_lesson
from host_tools.play.browser.table import SteppedTable
from host_tools.play.lessons import lesson as lessons
from host_tools.play.lessons.lesson import FOLDER, LEARNER, list_lessons, read_script
from host_tools.play.library import give_up
from host_tools.play.start import Wishes, prepare
from host_tools.play.table import LiveTable
from host_tools.play.tags import ARBITER
from tests.host_tools.web.served import Page, Served
from tests.patience import wait_for, wait_until

KEYS = ("OK", "NO", "CALL", "MENU")
IDEAS = {
    "durak": {"beat", "attack", "done", "take", "throw", "transfer", "trump"},
    "bailiff": {"lead", "raise", "extend", "pair", "more", "ace", "take"},
    "malice": {"centre", "side", "fromside", "payoff"},
    "cals-bs": {"lay", "claim", "pass", "doubt"},
}  # fmt: skip


@pytest.mark.parametrize("name", list_lessons())
def test_a_lesson_is_a_record_whose_steps_all_have_words(name):
    """Every event is legal, each idea comes once, and both languages say each step."""
    script = read_script(name)
    session = Session(script.game, script.header)
    drawn = {seat: list(cards) for seat, cards in script.drawn.items()}
    acts = list(script.acts)
    while acts:
        waits = bytearray(8)
        script.game.waiting(session.state, waits)
        seat = next((one for one in range(1, 8) if waits[one] in script.game.CHANCE and drawn.get(one)), 0)
        if seat:
            event = Event(seat, script.game.CHANCE[waits[seat]], drawn[seat].pop(0), 0, 0)
        else:
            who, packed = acts.pop(0)
            event = unpack(packed, who, 60_000, Event())
        assert not session.judge(event), (name, event.seat, event.verb, event.card, len(acts))
        session.enact(event)
    ideas = [key for key in script.steps.values() if not key.endswith("again")]
    assert set(ideas) == IDEAS[name] and len(ideas) == len(set(ideas))
    for language in list_languages():
        words = read_words(FOLDER, "lessons", language)
        for key in [*script.steps.values(), "title", "begin", "alone", "end"]:
            assert words["again" if key == "again" else f"{name}.{key}"].format(card="9♠", move="Done", key="OK")


def test_an_unknown_lesson_is_one_sentence():
    with pytest.raises(UnusableInput, match="there is no lesson chess: name one of durak, bailiff"):
        read_script("chess")


def go_on(table, setup, people, lesson):
    """A table that goes on from another game's cards starts as one that begins does."""
    def write(folder):
        give_up(folder / "flash")
        (folder / "flash" / "next.txt").write_text(setup)

    table.go_on(write, people)
    table.machine.restart(lambda: setattr(table, "lesson", lesson))


@pytest.mark.parametrize("begin", (LiveTable.begin, go_on))
def test_a_card_that_lay_on_a_reader_is_gathered_before_another_game(tmp_path, begin):
    """It was drawn by who sat there, a twentieth of a second after the table had started: a lesson's cards did not come
    then, and its next step never."""
    table = SteppedTable(tmp_path, seed=7)
    table.machine.ahead_s = lambda: 0.0
    prepare(table, Wishes(game="durak", seats=[("Ann", "here"), ("Bob", "bot:beginner")]))
    table.start()

    def live_until(is_so, what):
        wait_for(lambda: table.machine.live() is not None and is_so(), "the test", what)

    try:
        live_until(lambda: table.is_playing and len(table.cards.hand(1)) == 6, "the first game")
        script = read_script("cals-bs")
        write_keys = table.tags.write_keys  # the last that is done before the game is written
        table.tags.write_keys = lambda: (table.tags.put(2, "9C"), table.tags.put(6, ARBITER), write_keys())
        begin(table, *begin_lesson(table, "cals-bs"))
        live_until(lambda: table.is_playing and table.lesson.wanted(), "the lesson's first step")
        for seat, cards in script.drawn.items():
            assert sorted(table.cards.hand(seat)) == sorted(cards)
        assert table.tags.lying[6] == [ARBITER]  # a key is no card
    finally:
        table.close()


class Person:
    """Reads what the page shows, taps the card or presses the button that it names, and knows nothing else."""

    def __init__(self, page, language="en"):
        self.page, self.words = page, Sentences(language=language)

    @property
    def can(self):
        return next(iter(self.page.told.get("can", {}).get("seats", ())), None)

    @property
    def lesson(self):
        return self.page.told.get("lesson", {"say": "", "done": False, "more": ""})

    def seen(self):
        """The cards on the page that can be tapped: the hand, and what lies open."""
        return [card for pile in self.page.told["view"]["piles"] for card in pile["cards"]]

    def read(self, text):
        """The act that a sentence names: its last card that is there, else a button in capitals; None."""
        cards = [card for card in self.seen() if self.words.card(card) in text]
        if cards:
            return {"do": "tap", "card": max(cards, key=lambda card: text.rfind(self.words.card(card)))}
        keys = [key for key in KEYS[:3] if key in re.findall(r"[A-Z]+", text)]
        return {"do": "press", "key": keys[0]} if keys else None

    def is_free(self):
        """Whether the page rests, and it is this person's turn."""
        can = self.can
        return bool(can and not can["busy"] and self.page.told["table"]["phase"] == "play"
                    and LEARNER in self.page.told["view"]["turn"])

    async def do(self, act):
        told = await self.page.done(seat=LEARNER, **act)
        await self.page.until(lambda: not self.can["busy"], f"rest after {act}")
        return told

    async def learn(self, name):
        """The lesson to its end."""
        await self.page.done("learn", game=name, give_up=True)
        await self.page.until(lambda: self.lesson.get("name") == name and not self.lesson["done"], "the lesson")
        told = set()
        while True:
            await self.page.until(lambda: self.lesson["done"] or self.lesson["cards"] or self.lesson["keys"]
                                  or self.is_alone() and self.is_free(), "a step")
            if self.lesson["done"]:
                return told
            told.add(self.lesson["step"])
            if self.is_alone():
                await self.follow_hint()
                continue
            said = self.lesson["say"]
            wanted = self.read(said)
            await self.do(wanted)
            await self.page.until(lambda was=said: self.lesson["done"] or self.lesson["say"] != was,
                                  f"{wanted} of {said}")

    def is_alone(self):
        return "alone" in self.lesson["say"] or "all yours" in self.lesson["say"]

    async def follow_hint(self):
        """Ask for a hint, and do what its last sentence says."""
        self.page.told.pop("hint", None)
        heard = self.page.told["view"]["heard"]
        await self.page.socket.send_json({"type": "hint", "seat": LEARNER})
        await self.page.until(lambda: {"play", "why"} & set(self.page.told.get("hint", ())), "a hint")
        hint = self.page.told["hint"]
        if not self.is_free() or heard != self.page.told["view"]["heard"]:
            return  # something has happened meanwhile: ask again
        if hint["move"] is None:
            await wait_until(lambda: heard != self.page.told["view"]["heard"], "the test", "the others")
            return
        moves = {move["text"]: move for move in self.can["moves"]}
        move = moves[hint["move"]["text"]]  # of a set in Cal's BS, its first card
        await self.do({"do": "play", **{key: move[key] for key in ("verb", "card", "target") if move[key] is not None}})

    def refusals(self):
        """The table's refusals of this person, as they were read."""
        name = self.page.told["table"]["seats"][0]["name"]
        return [text for text in self.page.lines.values() if text.startswith(f"{name} may not")]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("games"), seed=7, speed=8.0) as table:
        yield table


def meet(served, client, act):
    """What act(person) gives, of a person at the host's page."""

    async def run():
        page = await Page(served.address, served.table.seating.host, client.ljust(16, "0")).open()
        await page.until(lambda: "table" in page.told)
        try:
            return await act(Person(page))
        finally:
            await page.close()

    return served.run(run())


@pytest.mark.micropython
def test_who_knows_only_what_the_page_says_learns_durak(served):
    """The whole first lesson by its sentences, and the last bout by hints; no refusal three times."""

    async def learn(person):
        return await person.learn("durak"), person.refusals()

    steps, refusals = meet(served, "reader", learn)
    assert steps >= set(range(1, 8))
    assert all(refusals.count(text) < 3 for text in refusals), refusals


@pytest.mark.everything
@pytest.mark.micropython
def test_who_has_learned_plays_a_whole_game_by_hints(served):
    """No refusal comes three times, and the game ends."""

    async def play(person):
        seats = [{"name": "Anna", "who": "here"}, {"name": "Boris", "who": "bot:beginner"}]
        await person.page.done("start", game="durak transfer deck=24", seats=seats, dealer=2, give_up=True)
        await person.page.until(lambda: person.page.told["table"]["game"].endswith("deck=24 hints=alone")
                                and not person.page.told["table"]["lesson"], "the game")
        while person.page.told["table"]["phase"] != "over":
            await person.page.until(lambda: person.is_free() or person.page.told["table"]["phase"] == "over", "a turn")
            if person.is_free():
                await person.follow_hint()
        return person.refusals(), person.page.told["table"]["result"]

    refusals, result = meet(served, "player", play)
    assert result and all(refusals.count(text) < 3 for text in refusals), refusals


@pytest.mark.everything
@pytest.mark.micropython
@pytest.mark.parametrize("name", [name for name in list_lessons() if name != "durak"])
def test_each_lesson_is_played_by_its_sentences(served, name):
    steps = meet(served, f"right{name.replace('-', '')}", lambda person: person.learn(name))
    assert len(steps) >= len(IDEAS[name])


def test_a_wrong_act_that_would_stand_is_held_back_and_another_goes_to_the_table():
    """Without a table: beat with the card that is asked for, hold another that beats, let a wrong one be judged."""
    lesson = lessons.Lesson("durak")
    beat = find_verb(durak, "beat")
    lesson.at = next(at for at, (seat, packed) in enumerate(lesson.script.acts) if seat == 1 and packed >> 16 == beat)
    wanted = lesson.script.acts[lesson.at][1]

    class Open:
        """A session in which that act and one more stand."""

        @staticmethod
        def judge(event):
            return 0 if event.verb == beat and event.card in (wanted >> 8 & 255, 3) else 1

    lesson._session = Open
    assert lesson.wanted() == wanted
    assert lesson.check([beat << 16 | 5 << 8], True, True) == 0
    with pytest.raises(lessons.Held, match="something else"):
        lesson.check([beat << 16 | 3 << 8], True, True)
    assert lesson.check([wanted], True, False) == wanted
    with pytest.raises(lessons.Held, match="too early"):  # the same again, while the hands still do it
        lesson.check([wanted], True, True)


def test_a_wrong_tap_while_the_table_still_draws_gets_its_sentence_too(monkeypatch):
    """The step is asked for as soon as the card is drawn, and the hand may take it from the reader a moment later."""
    asked = []
    table = SimpleNamespace(hands={1: SimpleNamespace(is_drawing=True)})
    actor = acts.Actor(table, "host", [1], None, lambda uid, text: None)
    monkeypatch.setattr(acts.Actor, "place", lambda self, message: 1)
    monkeypatch.setattr(acts.Actor, "card", lambda self, message: "9S")
    monkeypatch.setattr(acts.Actor, "guided", lambda self, place, do, meant: asked.append(do) or 0)
    with pytest.raises(acts.NotAllowed, match="draws for you"):
        actor.tap({"seat": 1, "card": "9S"})
    assert asked == ["tap"]
