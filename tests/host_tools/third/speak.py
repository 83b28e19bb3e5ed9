"""Says, in the language of its first argument, what people meet: run in a copy of the project, it prints JSON.

{where: the text that a person reads there}; names of players, tables and games are in capitals already.
"""

import asyncio
import html
import json
import re
import sys
from pathlib import Path

from host_tools.base import on_host

on_host.prepare()

from aiohttp import ClientSession, CookieJar  # noqa: E402 - behind prepare()

from host_tools.base.languages import list_languages  # noqa: E402
from host_tools.club.tournament.by_hand import enter_places  # noqa: E402
from host_tools.club.tournament.director import new_director  # noqa: E402
from host_tools.club.tournament.people import add_players  # noqa: E402
from host_tools.club.tournament.plan import Plan  # noqa: E402
from host_tools.club.tournament.roles import make_link  # noqa: E402
from host_tools.club.tournament.rounds import seat_round  # noqa: E402
from host_tools.club.tournament.site import make_site  # noqa: E402
from host_tools.look.answer import answer_all, as_text  # noqa: E402
from host_tools.look.drill import drills_text  # noqa: E402
from host_tools.look.learned import stock  # noqa: E402
from host_tools.look.puzzle_told import answer_text, question_text  # noqa: E402
from host_tools.look.tried import tried_text  # noqa: E402
from host_tools.look.wording import Wording as Look  # noqa: E402
from host_tools.play.web.serve import opened  # noqa: E402
from host_tools.play.wording import Wording as Terminal  # noqa: E402
from host_tools.sight.recorded import read_record  # noqa: E402

PAGES = ("/", "/pairings", "/standings", "/players", "/log", "/player/ANNA", "/find?name=Q", "/table/1/T1",
         "/table/9/T1", "/dispute/7", "/player/NOBODY", "/screen")


def visible(page: str) -> str:
    """What is read of a page: its text, and what stands in for it."""
    page = re.sub(r"<(script|style).*?</\\1>", "", page, flags=re.S)
    said = re.findall(r'(?:aria-label|placeholder|title|alt)="([^"]*)"', page)
    return html.unescape(" | ".join([*said, re.sub(r"<[^>]+>", " ", page)]))


def refusals(director) -> dict[str, str]:
    """Every kind of slip that a scorekeeper may type, as it is answered."""
    from host_tools.base.wording import Refusal
    from host_tools.club.tournament.by_hand import correct_places
    from host_tools.club.tournament.typed import read_letters, read_money, read_seats, read_shares

    where = (1, "T1", 1)
    asked = {
        "strange": lambda: enter_places(director, "A", where, "ANNA; BORIS; VERA; ZED", None, False, ""),
        "missing": lambda: enter_places(director, "A", where, "ANNA; BORIS; VERA", None, False, ""),
        "played": lambda: enter_places(director, "A", where, "ANNA; BORIS; VERA; GLEB", None, True, "ABC"),
        "no game": lambda: enter_places(director, "A", (1, "T1", 7), "ANNA", None, False, ""),
        "no round": lambda: enter_places(director, "A", (7, "T1", 1), "ANNA", None, False, ""),
        "no table": lambda: enter_places(director, "A", (1, "T9", 1), "ANNA", None, False, ""),
        "no result": lambda: correct_places(director, "A", where, "ANNA; BORIS; VERA; GLEB", None, False, "X"),
        "no reason": lambda: correct_places(director, "A", where, "ANNA", None, False, ""),
        "letters": lambda: read_letters("ABC"), "money": lambda: read_money("X"), "seats": lambda: read_seats("9"),
        "shares": lambda: read_shares("X"), "round": lambda: seat_round(director, "A"),
        "player": lambda: add_players(director, "A", [("ANNA", "", "")]),
        "name": lambda: add_players(director, "A", [("A;B", "", "")]),
        "undo": lambda: director.undo("A", 1, "X"), "event": lambda: director.undo("A", 99, "X"),
        "back": lambda: director.act("A", "player back", name="ANNA"),
    }
    found = {}
    for name, ask in asked.items():
        try:
            ask()
        except Refusal as refusal:
            found[name] = refusal.tell(sys.argv[1])
    return found


def learn(language: str) -> dict[str, str]:
    """What the pages to learn from are told: a puzzle of each game and an answer to it, drills, a game to play on."""
    name, content = "GAME.rec", Path(sys.argv[2]).read_bytes()
    found = {"drills": drills_text([(name, content)], language, 3),
             "tried": tried_text(name, content, 40, 1, False, 0, language, None)}
    for one in {one.name.partition("-")[0]: one for one in stock().values()}.values():
        found[f"{one.name} asked"] = question_text(one.line(), language)
        found[f"{one.name} answered"] = answer_text(one.line(), language, 0)
    return found


def sentences(told: object) -> list[str]:
    """The texts in what a page is told that are no single word: a name or a key of the page's own."""
    if isinstance(told, str):
        return [told] if " " in told else []
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else []
    return [text for part in parts for text in sentences(part)]


async def speak(language: str, folder: Path) -> dict[str, str]:
    """Everything, by where it is met."""
    director = new_director(str(folder / "cup.sqlite"), Plan(name="CUP", seed=7))
    add_players(director, "A", [(name, "", "") for name in ("ANNA", "BORIS", "VERA", "GLEB")])
    director.act("A", "table named", name="T1", key="", watch="")
    seat_round(director, "A")
    found = {f"refusal {name}": text for name, text in refusals(director).items()}
    secret = make_link(director, "A", "arbiter", "JUDGE")
    jar = CookieJar(unsafe=True)  # of an address without a name
    async with opened(make_site(director, language=language)) as address, ClientSession(cookie_jar=jar) as client:
        await client.get(f"{address}/sign-in/{secret}")
        for page in PAGES:
            answer = await client.get(address + page)
            found[f"page {page}"] = visible(await answer.text())
    words = Terminal(language)
    found["terminal"] = "\n".join(words.helps())
    record = read_record(Path(sys.argv[2]))
    lines = list(answer_all(record, record.readers()[0], language))
    found |= {f"learn {name}": " | ".join(sentences(json.loads(text))) for name, text in learn(language).items()}
    found["look"] = "\n".join(as_text(lines[5], Look(language)))
    return found


if __name__ == "__main__":
    told = asyncio.run(speak(sys.argv[1], Path(sys.argv[3])))
    print(json.dumps({"languages": list_languages(), "told": told}))
