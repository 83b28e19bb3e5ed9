"""Says what happens at a table in sentences for people, in each language that lies here as a file."""

from host_tools.judge.sentences.language import languages
from host_tools.judge.sentences.sentences import Sentences

__all__ = ["Sentences", "languages"]
