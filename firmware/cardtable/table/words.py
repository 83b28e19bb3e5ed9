"""Looks words up in the files under words/, a line a key; they stay on flash and are never held whole in memory."""

LANGUAGES = ("en", "ru")
FOLDER = __file__.rsplit("/", 2)[0] + "/words"  # beside app/, wherever the firmware lies


class Words:
    """The words of one game and of the table in one language."""

    def __init__(self, game: str, language: str) -> None:
        """game: its name; language: one of LANGUAGES."""
        self.language = language
        self._files = [
            "%s/%s.%s" % (FOLDER, game.replace("-", "_"), language),
            "%s/table.%s" % (FOLDER, language),
        ]

    def find(self, key: str) -> str:
        """The words of that key; the key itself if nobody wrote any, so that a refusal always says something."""
        wanted = key + "="
        for name in self._files:
            try:
                with open(name) as lines:
                    for line in lines:
                        if line.startswith(wanted):
                            return line[len(wanted) :].rstrip()
            except OSError:
                pass
        return key
