"""Makes the modules of words that the pages import: `NAME_words.js` of the files `NAME.LANGUAGE.txt`.

All languages are in it, so that no page waits for a word when somebody chooses another one, and a language that leaves
a word out says it in English (`wording.read_words`). The packed page has one, and fetches another when somebody wants
it (`bundle.py`).
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from host_tools.base import foreign
from host_tools.base.languages import list_languages
from host_tools.base.project import PAGE
from host_tools.base.wording import read_words

WORDS = Path(__file__).parent / "words"
# What a page says of other languages: each one's name for itself, and what a person is called whom no name was given.
EVERYWHERE = ("languageName", "you")
_END = "_words.js"
_PLAIN = re.compile(r"[A-Za-z]\w*")  # a key that JavaScript takes without quotes


def list_made(folder: Path = WORDS) -> list[str]:
    """The modules that are made of this folder's files."""
    return sorted(f"{path.name.removesuffix('.en.txt')}{_END}" for path in folder.glob("*.en.txt"))


def make_module(name: str, folder: Path = WORDS, only: str = "") -> str:
    """NAME_words.js: each word in all languages, in the order in which they are listed. only: the language that it has
    alone, but for the words of EVERYWHERE."""
    languages = list_languages()
    said = {language: read_words(folder, name.removesuffix(_END), language) for language in languages}
    keys = list(said[languages[0]])
    here = [key for key in keys if not only or key not in EVERYWHERE]
    rest = [key for key in keys if key not in here]
    calls = [(languages, rest), ([only] if only else languages, here)]
    return 'import {addWords} from "./words.js";\n' + "".join(
        _add(codes, wanted, said) for codes, wanted in calls if wanted)


def _add(codes: list[str], keys: list[str], said: dict[str, dict[str, str]]) -> str:
    words = ", ".join(f"{key if _PLAIN.fullmatch(key) else json.dumps(key)}:"
                      f"{json.dumps([said[code][key] for code in codes], ensure_ascii=False)}" for key in keys)
    return f"addWords({json.dumps(codes)}, {{{words}}});\n"


def read_module(name: str, only: str = "") -> str:
    """The text of one of the pages' modules, `NAME.js`, whether it lies there or is made; only: as in `make_module`."""
    return make_module(name, only=only) if name in list_made() else foreign.read_text(PAGE / name)
