"""What a table could say: canned messages of the play protocol for each game and phase, in both languages."""

import base64

from host_tools.base import on_host

on_host.prepare()

from cardtable.drivers import font6x8  # noqa: E402 - needs MicroPython's `const`
from host_tools.judge.rulebook.summary import tell_goal  # noqa: E402
from host_tools.look.wording import Wording  # noqa: E402
from host_tools.play.seating import bot_names  # noqa: E402

WIDTH, HEIGHT = 128, 64
LIGHTS = {
    "off": [0, 0, 0],
    "turn": [0, 0, 90],
    "accepted": [0, 90, 20],
    "refused": [120, 0, 0],
    "choosing": [110, 70, 0],
    "fault": [70, 0, 90],
    "filling": [0, 0, 40],
}
NAMES = {
    "en": ["You", "Anna", "Boris", "Vera", "Gleb", "Dina", "Egor"],
    "ru": ["Вы", "Анна", "Борис", "Вера", "Глеб", "Дина", "Егор"],
}
# What stands in two languages, by a name.
WORDS = {
    "durak": ("Durak, transfer", "Дурак, переводной"),
    "cals-bs": ("Cal's BS", "Не верю"),
    "bailiff": ("Bailiff", "Пристав"),
    "malice": ("Malice", "Злоба"),
    "beat": ("Beat, transfer, or NO to take", "Бейте, переводите, или NO — взять"),
    "follow": ("Lay queens, pass, or doubt", "Кладите дам, пас, или не верьте"),
    "answer": ("Beat the top cards, or NO to take", "Бейте верхние карты, или NO — взять"),
    "lay": ("Lay a card, or OK to end", "Положите карту, или OK — конец"),
    "higher": ("Beat higher in suit, or with a trump", "Бейте старшей в масть или козырем"),
    "near": ("You tapped 9♦. Beat 9♣ with a higher club or a heart",
             "Вы приложили 9♦. Побейте 9♣: трефой старше или червой"),
    "not_yours": ("Not your turn to throw in", "Сейчас не ваша очередь подкидывать"),
    "done": ("done", "хватит"),
    "take": ("take", "беру"),
    "claim": ("claim", "назвать"),
    "pass": ("pass", "пас"),
    "doubt": ("doubt", "не верю"),
    "end": ("end", "конец"),
    "said": ("Vera: 3 queens", "Вера: 3 дамы"),
    "result": ("Boris is the fool.", "В дураках Борис."),
    "ending": ("You got out first! Boris is the fool.", "Вы вышли первым! В дураках Борис."),
    "lesson": ("It turned here. The play of Boris: Take (0 %). Better: Beat J♣ with K♣ (100 %).",
               "Здесь всё решилось. Ход Борис: Взять (0 %). Лучше: Побить В♣ картой К♣ (100 %)."),
    "aim": ("In brackets: the chance not to lose, by what could be known then; a draw counts a half.",
            "В скобках: вероятность не проиграть, насколько это можно было знать; ничья считается за половину."),
    "event1": ("Anna attacks with 6♠", "Анна ходит 6♠"),
    "event2": ("You beat 6♠ with 9♠", "Вы бьёте 6♠ картой 9♠"),
    "event3": ("Boris: Not your turn to throw in", "Борис: сейчас не ваша очередь подкидывать"),
    "event4": ("Vera throws in 9♦ on You", "Вера подкидывает отбивающемуся 9♦"),
}


def word(key: str, language: str) -> str:
    """The words for `key` in that language."""
    return WORDS[key][language == "ru"]


def glass(rows: list[str]) -> dict:
    """A `screen` message that shows `rows` in the table's own font."""
    dots = bytearray(WIDTH * HEIGHT // 8)
    left = (WIDTH - WIDTH // font6x8.CELL_WIDTH * font6x8.CELL_WIDTH) // 2
    for row, text in enumerate(rows):
        for column, letter in enumerate(text[:21]):
            glyph = font6x8.glyph_of(ord(letter)) * font6x8.GLYPH_WIDTH
            for dx in range(font6x8.GLYPH_WIDTH):
                bits = font6x8.GLYPHS[glyph + dx]
                for dy in range(font6x8.CELL_HEIGHT):
                    if bits >> dy & 1:
                        at = (row * font6x8.CELL_HEIGHT + dy) * WIDTH + left + column * font6x8.CELL_WIDTH + dx
                        dots[at >> 3] |= 0x80 >> (at & 7)
    return {"type": "screen", "width": WIDTH, "height": HEIGHT, "dots": base64.b64encode(dots).decode(), "text": rows}


def pile(place: str, cards: str = "", count: int | None = None, reader: int = 0) -> dict:
    """A pile by its place's name; `cards` are those that are seen, `count` how many lie there."""
    kind = place.rstrip("0123456789.")
    seen = cards.split()
    number = place[len(kind) :].strip(".")
    seat, slot = 0, 0
    if kind in ("hand", "staged") or kind in ("payoff", "turned") and number:
        seat = int(number)
    elif kind == "side":
        seat, slot = (int(part) for part in number.split("."))
    elif number:
        slot = int(number)
    made = {
        "place": place,
        "kind": kind,
        "seat": seat,
        "slot": slot,
        "count": len(seen) if count is None else count,
        "cards": seen,
        "reader": 0,
    }
    if reader:
        made.update(kind="reader", place=f"reader{reader}", reader=reader)
    return made


def seats(count: int, language: str, gone: int = 0) -> list[dict]:
    """Seats clockwise; the first is played here, the rest by virtual players, `gone` by a phone that is away."""
    return [
        {
            "seat": n,
            "place": n,
            "name": NAMES[language][n - 1],
            "there": n == 1,  # a virtual player has no browser
            "who": "here" if n == 1 else "phone" if n == gone else "bot:beginner",
        }
        for n in range(1, count + 1)
    ]


def table(game: str, count: int, language: str, **more) -> dict:
    """A `table` message of a running game."""
    message = {
        "type": "table",
        "phase": "play",
        "game": game,
        "title": word(game.split()[0], language),
        "goal": tell_goal(game, language),
        "seats": seats(count, language),
        "dealer": 3 if count > 2 else 2,
        "places": 7,
        "language": language,
        "screen_language": language,
        "deal": "table",
        "free": False,
        "speed": 1,
        "proposals": [],
        "records": ["0001.rec", "0002.rec"],
    }
    return {**message, **more}


def lights(*says: str) -> dict:
    """A `lights` message: what each place's light says, from the first."""
    return {
        "type": "lights",
        "lights": [{"place": n, "rgb": LIGHTS[one], "says": one} for n, one in enumerate(says, 1)],
    }


def can(language: str, prompt: str, keys: list[str], moves: list[tuple]) -> dict:
    """A `can` message for seat 1: keys are names of WORDS for OK, NO, CALL and MENU."""
    meanings = {
        key: word(name, language) if name else "" for key, name in zip(("OK", "NO", "CALL", "MENU"), keys, strict=True)
    }
    listed = [
        {"verb": verb, "card": card, "target": target, "text": " ".join(filter(None, (verb, card, target)))}
        for verb, card, target in moves
    ]
    return {"type": "can", "seats": [{"seat": 1, "prompt": word(prompt, language), "keys": meanings, "moves": listed}]}


def feed(language: str) -> dict:
    """A `feed` message of four lines, one of them a refusal."""
    lines = [
        {"n": n, "text": word(f"event{n}", language), "kind": "event", "seat": n, "rule": ""} for n in (1, 2, 3, 4)
    ]
    lines[2].update(kind="refusal", rule="D16")
    return {"type": "feed", "lines": lines}


def view(turn: list[int], refusals: list[dict], piles: list[dict]) -> dict:
    """A `view` message."""
    return {"type": "view", "n": 1, "piles": piles, "turn": turn, "refusals": refusals, "notice": "", "waits": [],
            "roles": {}, "out": ""}


def durak(language: str, count: int = 4) -> list[dict]:
    """The middle of a bout: three attacks, one of them beaten, two refusals, a card on another's reader."""
    hands = [pile(f"hand{n}", count=5 + n % 3) for n in range(2, count + 1)]
    refusals = [
        {"seat": 1, "rule": "D7", "words": word("higher", language), "near": word("near", language)},
        {"seat": 3, "rule": "D16", "words": word("not_yours", language)},
    ]
    piles = [
        pile("stock", count=11),
        pile("turned", "7H"),
        pile("discard", count=6),
        pile("hand1", "8H QH 9D TC JC AD"),
        *hands,
        pile("attack1", "6S"),
        pile("cover1", "9S"),
        pile("attack2", "9C"),
        pile("attack3", "6D"),
        pile("hand4", "QS", reader=4),
    ]
    moves = [("beat", "TC", "9C"), ("beat", "JC", "9C"), ("beat", "8H", "9C"), ("beat", "9D", "6D"), ("take", "", "")]
    rows = ["♥ 11  1:6 2:7 3:5", "You: beat or take", "", "2 6♠  1 9♠ 4 9♣", "", "3 D16", "Not your turn", ""]
    if language == "ru":
        rows = ["♥ 11  1:6 2:7 3:5", "Вы: бейте или берите", "", "2 6♠  1 9♠ 4 9♣", "", "3 D16", "Не ваша очередь", ""]
    return [
        table("durak transfer", count, language),
        {**view([1], refusals, piles), "roles": {"1": "defender", "4": "attacker"}},
        can(language, "beat", ["", "take", "", ""], moves),
        lights("refused", "accepted", "refused", "turn", *["off"] * 3),
        glass(rows),
        feed(language),
    ]


def durak6(language: str) -> list[dict]:
    """Six seats, six pairs on the table, one phone gone, twelve cards in hand."""
    messages = durak(language, 6)
    messages[0]["seats"] = seats(6, language, gone=5)
    piles = [
        one
        for one in messages[1]["piles"]
        if one["kind"] not in ("attack", "cover", "turned") and one["place"] != "hand1"
    ]
    piles.append(pile("hand1", "8H QH 9D TC JC AD 7S 8S TS JS 7C XR"))
    piles += [pile(f"attack{n}", card) for n, card in enumerate("6S 6D 9C 9H QC QD".split(), 1)]
    piles += [pile(f"cover{n}", card) for n, card in enumerate("9S 8D KC".split(), 1)]
    messages[1]["piles"] = piles
    return messages


def cals_bs(language: str) -> list[dict]:
    """A set of three is to be doubted or followed; two own cards are staged."""
    piles = [
        pile("pile", count=9),
        {**pile("set", count=3), "said": word("said", language)},
        pile("hand1", "2H 3S 4D 7C 7H 9S TD JC QS KD AH"),
        pile("staged1", "QH QD"),
        pile("hand2", count=8),
        pile("hand3", count=9),
        pile("staged3", count=2),
        pile("hand4", count=10),
        pile("hand5", count=7),
        pile("hand4", count=1, reader=4),
    ]
    moves = [
        ("lay", "QS", ""),
        ("lay", "2H", ""),
        ("unlay", "QH", ""),
        ("claim", "Q", ""),
        ("pass", "", ""),
        ("doubt", "", ""),
    ]
    return [
        table("cals-bs", 5, language),
        view([1, 2, 3], [{"seat": 4, "rule": "C8", "words": word("not_yours", language)}], piles),
        can(language, "follow", ["claim", "pass", "doubt", ""], moves),
        lights("filling", "turn", "choosing", "refused", "off", "off", "off"),
        glass(["9+3  11 8 9 10 7", "lay, pass or doubt", "", "Vera claims 3 Q"]),
        feed(language),
    ]


def bailiff(language: str) -> list[dict]:
    """A raise is begun on four top cards."""
    piles = [
        pile("stock", count=20),
        pile("discard", count=4),
        pile("covered", count=3),
        pile("front", "7S 7H 7D 7C"),
        pile("raise", "8S 8H"),
        pile("hand1", "8D 8C JS QD"),
        pile("hand2", count=6),
        pile("hand3", count=6),
        pile("hand4", count=5),
    ]
    moves = [("lay", "8D", ""), ("lay", "8C", ""), ("unlay", "8S", ""), ("take", "", "")]
    return [
        table("bailiff", 4, language),
        view([1], [], piles),
        can(language, "answer", ["done", "take", "", ""], moves),
        lights("turn", *["off"] * 6),
        glass(["20  4 6 6 5", "more for the raise"]),
        feed(language),
    ]


def malice(language: str, count: int = 2) -> list[dict]:
    """Two seats with full side piles, and more with one each."""
    piles = [
        pile("stock", count=61),
        pile("centre1", "AS 2S2 3D"),
        pile("centre2", "AH2"),
        pile("centre3", "AD2 2C2 3S2 4S 5H2"),
        pile("hand1", "XR 5S2 8H2 QC2 KD2"),
        pile("hand2", count=5),
        pile("payoff1", count=18),
        pile("turned1", "4D"),
        pile("payoff2", count=21),
        pile("turned2", "TS"),
        pile("side1.1", "JD2 TH2 9C2"),
        pile("side1.2", "4S2"),
        pile("side1.4", "QD2 JC2"),
        pile("side2.1", "QS2 QH2"),
        pile("side2.2", "8H"),
        pile("side2.3", "6C2"),
    ]
    for seat, turned, side in ((3, "6S", "7D"), (4, "9H", "8C"))[:count - 2]:
        piles += [pile(f"hand{seat}", count=5), pile(f"payoff{seat}", count=12), pile(f"turned{seat}", turned),
                  pile(f"side{seat}.1", side)]
    moves = [("centre", "5S2", "1"), ("centre", "4D", "1"), ("side", "8H2", "3"), ("end", "", "")]
    return [
        table("malice", count, language),
        view([1], [], piles),
        can(language, "lay", ["end", "", "", ""], moves),
        lights("turn", *["off"] * 6),
        glass(["32 5- 61: 19 22", "You: lay or end"]),
        feed(language),
    ]


def over(language: str) -> list[dict]:
    """A game that has a result."""
    messages = durak(language)
    result = word("result", language)
    messages[0].update(phase="over", result=result, ending=word("ending", language), digest="KHRT 7M4N WX29",
                       closed=True, record="2026-11-24-1515-durak-0001.rec")
    messages[1].update(turn=[], refusals=[], piles=[pile("discard", count=30), pile("hand3", count=6)])
    messages[2]["seats"][0].update(prompt="", moves=[], keys={})
    messages[3] = lights(*["off"] * 7)
    return messages


def lesson(language: str) -> dict:
    """What the server answers when the page asks what decided that game."""
    moment = {"line": 89, "seat": 3, "kind": "blunder", "sentence": word("lesson", language), "trump": "H",
              "piles": [pile("attack1", "JD"), pile("cover1", "QD"), pile("attack2", "JC"),
                        pile("hand3", "6D 7C KC AS")],
              "cards": ["6D"], "better_cards": ["KC"]}
    return {"words": word("lesson", language), "moment": moment, "own": None, "seat": 1, "aim": word("aim", language)}


def luck(language: str) -> dict:
    """What the server answers when the page asks what luck and own play brought."""
    facts = {"fair": 75, "result": 100, "luck": 18, "play": 4, "others": 3}
    signed = {key: f"{facts[key]:+d}" for key in ("luck", "play", "others")}
    return {**facts, "words": Wording(language).say("luck", fair=75, result=100, **signed)}


def lobby(language: str) -> list[dict]:
    """Nobody sits: the firmware's own lobby asks."""
    rows = ["durak throw-in", "1 2 3 4", "", "", "", "", "OK play, MENU else"]
    if language == "ru":
        rows[-1] = "OK играть, MENU иначе"
    return [
        {**table("durak", 4, language), "phase": "lobby", "seats": [], "game": "", "title": "", "goal": ""},
        view([], [], []),
        {"type": "can", "seats": []},
        lights(*["turn"] * 7),
        glass(rows),
        feed(language),
    ]


def choices(language: str) -> dict:
    """What can be played, as short as it can be said."""

    def option(name, rule, question, values):
        return {
            "name": name,
            "rule": rule,
            "question": question,
            "values": [{"value": one, "text": one} for one in values],
        }

    games = [
        {
            "name": name,
            "title": word(name, language).split(",")[0],
            "presets": [{"name": one, "title": one, "goal": tell_goal(f"{name} {one}", language)} for one in presets],
            "options": [],
            "seats": most,
            "players": ["beginner", "novice", "search", "sound"],
            "levels": [{"name": "novice", "title": "Easy"}, {"name": "beginner", "title": "Fair"},
                       {"name": "search", "title": "Strong"}],
            "kinds": [{"name": "sound", "title": "weighs each play"}],
            "needs": [],
        }
        for name, presets, most in (
            ("durak", ["throw-in", "simple", "transfer", "japanese-spades"], [2, 6]),
            ("cals-bs", ["cals-bs"], [3, 7]),
            ("bailiff", ["bailiff"], [2, 6]),
            ("malice", ["malice"], [2, 2]),
        )
    ]
    games[0]["options"] = [
        option("deck", "D1", "Which deck?", ["36", "52", "54"]),
        option("first_bout", "D19", "How many cards in the first bout?", ["5", "6"]),
        {
            "name": "cheating",
            "rule": "D43",
            "question": "How many cheat tokens?",
            "low": 0,
            "high": 90,
            "default": 0,
            "values": [],
        },
        option("deal", "T4", "Who keeps track?", ["players tap each card they are dealt or draw, one after the other"]),
        {"name": "own_clock", "rule": "T8", "question": "Who has a turn time of their own?", "each": ["60", "90"]},
    ]
    return {"type": "choices", "games": games, "names": bot_names(language)}


SCENES = {
    "lobby": lobby,
    "durak": durak,
    "durak6": durak6,
    "cals_bs": cals_bs,
    "bailiff": bailiff,
    "malice": malice,
    "over": over,
}


def for_role(messages: list[dict], role: str) -> list[dict]:
    """The same messages as another browser gets them: a spectator sees no hand, a seat on a phone its own."""
    if role != "public":
        return messages
    hidden = []
    for message in messages:
        if message["type"] == "can":
            continue
        if message["type"] == "view":
            piles = [
                {**one, "cards": []} if one["seat"] and one["kind"] in ("hand", "staged") else one
                for one in message["piles"]
            ]
            message = {**message, "piles": piles}
        hidden.append(message)
    return hidden
