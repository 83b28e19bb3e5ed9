"""Templates of pages (Jinja2): what is filled in stands escaped in them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from host_tools.base.extras import need


@functools.cache
def read_templates(folder: Path) -> Any:
    """The templates of the folder, a jinja2.Environment; a name that nobody gave them is an error.

    UnusableInput without Jinja2.
    """
    jinja2 = need("jinja2", "a page")
    return jinja2.Environment(loader=jinja2.FileSystemLoader(folder), autoescape=True, undefined=jinja2.StrictUndefined,
                              trim_blocks=True, lstrip_blocks=True, auto_reload=False)


def fill(found: Any, name: str, words: Any, /, **facts: object) -> str:
    """The template NAME.html of those found, in the language of `words`, a room's wording; `say` is that wording's own,
    where `facts` have no other one."""
    return str(found.get_template(f"{name}.html").render({"words": words, "say": words.say, **facts}))
