"""The random player: any legal move, a verb drawn first and then its card. It plays every game."""

from __future__ import annotations

from cardtable.engine.event import OWN_VERB
from host_tools.minds.players.manners import courtesy
from host_tools.sight.seen import Choice, Player, Seen

_FASTEST_MS = 400
_SLOWEST_MS = 4000


class RandomPlayer(Player):
    """Draws among its legal moves whenever the table waits for it."""

    name = "random"

    def choose(self, seen: Seen) -> Choice | None:
        polite = courtesy(self, seen)
        if polite or not seen.is_waited_for or not seen.moves:
            return polite
        # The moment belongs to the question: a card laid and taken back again must not be laid for ever.
        draw = self.chance(seen.moment_ms, seen.view)
        verbs = sorted({move >> 16 for move in seen.moves})
        verb = verbs[draw.below(len(verbs))]
        if self.is_call(verb):
            verb = verbs[draw.below(len(verbs))]  # a doubt is drawn a second time, or no game would end
        moves = seen.named(verb)
        return Choice(moves[draw.below(len(moves))], _FASTEST_MS + draw.below(_SLOWEST_MS - _FASTEST_MS + 1))

    def is_call(self, verb: int) -> bool:
        """Whether the CALL button says the verb."""
        return verb >= OWN_VERB and self.game.VERBS[verb - OWN_VERB][2] == "CALL"
