"""Which games one reader for all can serve."""

# A card tells whose it is where its hand is known, or one player alone is waited for. In the family of Cheat everybody
# lays cards face down at any moment, and a card of the pile is in no hand.
COMMON_GAMES = ("durak", "bailiff", "malice")
COMMON_SEATS = 4  # so many sides has a phone


def why_not(game: str, seats: int) -> str:
    """Why that game cannot be played with one reader for all: `face-down`, `seats`; empty if it can."""
    if game not in COMMON_GAMES:
        return "face-down"
    return "seats" if seats > COMMON_SEATS else ""
