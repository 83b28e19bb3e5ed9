"""Looks words up in the files under words/, a line a key; they stay on flash and are never held whole in memory."""

LANGUAGES = ("en", "ru")


class Words:
    """The words of one game and of the table in one language."""

    def __init__(self, folder: str, game: str, language: str):
        """folder: where the files are; game: its name; language: one of LANGUAGES."""
        self._files = [
            "%s/%s.%s" % (folder, game.replace("-", "_"), language),
            "%s/table.%s" % (folder, language),
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
