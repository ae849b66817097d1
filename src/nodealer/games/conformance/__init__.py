"""The conformance of a game to the interface: checks that anybody can run on a game.

    from nodealer.games.conformance import check_rules
    check_rules(MY_GAME)

plays games by chance, with all numbers of seats and all pairs of option values, over a dealer who
sees everything, and looks at every position from outside: are the views secret, is what is legal
accepted and everything else refused, does the game go on whoever leaves, does it end. The checks
are in `checks`; specs/games/interface.md says what they are for. A failure raises a
`ConformanceError` that says how to see it again.
"""

from nodealer.games.conformance.checks import digest_of
from nodealer.games.conformance.failure import ConformanceError, shown
from nodealer.games.conformance.running import ConformanceReport, check_game, check_rules
from nodealer.games.conformance.tables import option_tables

__all__ = [
    "ConformanceError",
    "ConformanceReport",
    "check_game",
    "check_rules",
    "digest_of",
    "option_tables",
    "shown",
]
