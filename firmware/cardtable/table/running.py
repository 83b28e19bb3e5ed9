"""The interface of the main loop to a game or panel that runs on the table; `Running` itself is a table at rest."""

# The next thing to run: the values of `wants`.
LOBBY = "lobby"  # the panel that asks what to play
ENROL = "enrol"  # the panel that registers a deck
PLAY = "play"  # the game that was chosen, after a reset
NEXT = "next"  # the game is closed: after a reset the lobby, which proposes the next one


class Running:
    """Something that the main loop steps after every look at a reader."""

    is_game = False
    wants = ""  # empty while it goes on
    chooser = 0  # the place at whose buttons that was said
    keeps_secrets = False  # T11: a game that is not over lies on the flash, and the arbiter's key was not tapped
    is_opened = False  # T10: the arbiter's key was tapped, and opens the prompt in spite of that game

    def step(self) -> None:
        """Take in what readers and buttons found, and show it."""

    def has_secrets(self) -> bool:
        """T11: whether the prompt must stay closed."""
        return self.keeps_secrets

    def rests(self) -> bool:
        """Whether no game goes on, and nothing of one is still being written: only then the network may speak."""
        return not self.has_secrets()

    def takes_order(self) -> bool:
        """Whether this is a lobby at which nobody chooses: it may propose what a tournament's director wants played."""
        return False

    def tell_network(self, text: str) -> None:
        """Show how the network stands, where there is room for that."""
