"""The steward of a player's home: what pages wish is carried out, and what comes of it is shown.

It stands between the dialogue, which says what a page is told and what it may wish, and the home,
which is what a player can do. It knows no terminal and no server: whoever has a channel to a page
lets it in, and whoever is a command says how the home is to be run.

    steward                       what is shown, and who does what is wished
    open_house                    the node, the lobbies and tables that are open
    open_lobby, open_table        one of them each
    lobby_told                    a lobby in the fields of the dialogue
    home_told, home_list          the home in the fields of the dialogue; how its tables stand
    served_dialogue               a dialogue, and the pages that it is served to
    file_judge, judging_worker    a file that a page brings, and the process that judges it
    refusals                      why something cannot be done, in a sentence
"""

from nodealer.steward.open_house import HomeWays
from nodealer.steward.open_table import Onlooker
from nodealer.steward.served_dialogue import CarryOut, DialogueVisit, ServedDialogue
from nodealer.steward.steward import Steward, steward_of

__all__ = [
    "CarryOut",
    "DialogueVisit",
    "HomeWays",
    "Onlooker",
    "ServedDialogue",
    "Steward",
    "steward_of",
]
