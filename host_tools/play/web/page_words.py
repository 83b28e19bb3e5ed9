"""Makes the modules of words that the pages import: `NAME_words.js` of the files `NAME.LANGUAGE.txt`.

All languages are in it, so that no page waits for a word when somebody chooses another one, and a language that leaves
a word out says it in English (`wording.read_words`).
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
_END = "_words.js"
_PLAIN = re.compile(r"[A-Za-z]\w*")  # a key that JavaScript takes without quotes


def list_made(folder: Path = WORDS) -> list[str]:
    """The modules that are made of this folder's files."""
    return sorted(f"{path.name.removesuffix('.en.txt')}{_END}" for path in folder.glob("*.en.txt"))


def make_module(name: str, folder: Path = WORDS) -> str:
    """NAME_words.js: each word in all languages, in the order in which they are listed."""
    languages = list_languages()
    said = [read_words(folder, name.removesuffix(_END), language) for language in languages]
    words = ", ".join(f"{key if _PLAIN.fullmatch(key) else json.dumps(key)}:"
                       f"{json.dumps([one[key] for one in said], ensure_ascii=False)}" for key in said[0])
    return f'import {{addWords}} from "./words.js";\naddWords({json.dumps(languages)}, {{{words}}});\n'


def read_module(name: str) -> str:
    """The text of one of the pages' modules, `NAME.js`, whether it lies there or is made."""
    return make_module(name) if name in list_made() else foreign.read_text(PAGE / name)
