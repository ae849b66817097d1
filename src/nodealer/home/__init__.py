"""The home of a player: what a player does, as calls and values.

Tables found again and the lobbies that lead to them, people and their words, the sessions of hosts
and guests, what drives a seat: for whoever shows it, be it lines that are typed or a page. Nothing
here reads a command line, prints or asks; what can be told is a value, and what is not possible is
an error with a name.

    my_tables, my_lobbies         what this player has open, and how it is gone on with
    host_session, guest_session   lobbies while people gather, and what their players want
    hindrances                    why a wish is not granted yet
    offers                        what is agreed on with an offer, and what of it has changed
    people                        who is there, and what is known of them
    listening_places, sitting     where the node of this player listens, and what it has open
    playing, seat_client          who plays at a table that is open: a person, a bot, a program
    seat_driver, latest           what a person is shown of it, the newest of it first
    watching                      the table of others, found by the address of a seat
    finished, leaving, mending    getting up, leaving for good, and going on after damage
    clock                         the time of day
"""

from nodealer.home.clock import day_of
from nodealer.home.finished import Finished, write_transcript
from nodealer.home.guest_session import AnswerWanted, GuestNews, GuestSession, Unheard, Voided
from nodealer.home.hindrances import FreeSeatError, LobbyError, OtherKeyError, UnreadOfferError
from nodealer.home.host_session import Banished, HostNews, HostSession
from nodealer.home.leaving import leave_and_wait
from nodealer.home.listening_places import address_given, is_moved, listening_at
from nodealer.home.mending import Mend, mend
from nodealer.home.my_lobbies import FoundLobby, Shelf, announce, listed, lobby_by, table_line
from nodealer.home.my_tables import (
    FoundTable,
    TableStage,
    refused,
    stage_of,
    table_by,
    table_in,
    table_mark,
    tables_of,
)
from nodealer.home.offers import (
    OfferedTerm,
    TermKind,
    changes_between,
    terms_offered,
    version_here,
)
from nodealer.home.people import Company
from nodealer.home.playing import NetSeen, Show, linger, net_seen, play
from nodealer.home.seat_client import SeatClient
from nodealer.home.seat_driver import SeatDriver
from nodealer.home.sitting import in_lobbies, opened_table, sitting_at
from nodealer.home.watching import SeatAt, journal_to_watch, note_seats, seat_at, watched_table

__all__ = [
    "AnswerWanted",
    "Banished",
    "Company",
    "Finished",
    "FoundLobby",
    "FoundTable",
    "FreeSeatError",
    "GuestNews",
    "GuestSession",
    "HostNews",
    "HostSession",
    "LobbyError",
    "Mend",
    "NetSeen",
    "OfferedTerm",
    "OtherKeyError",
    "SeatAt",
    "SeatClient",
    "SeatDriver",
    "Shelf",
    "Show",
    "TableStage",
    "TermKind",
    "Unheard",
    "UnreadOfferError",
    "Voided",
    "address_given",
    "announce",
    "changes_between",
    "day_of",
    "in_lobbies",
    "is_moved",
    "journal_to_watch",
    "leave_and_wait",
    "linger",
    "listed",
    "listening_at",
    "lobby_by",
    "mend",
    "net_seen",
    "note_seats",
    "opened_table",
    "play",
    "refused",
    "seat_at",
    "sitting_at",
    "stage_of",
    "table_by",
    "table_in",
    "table_line",
    "table_mark",
    "tables_of",
    "terms_offered",
    "version_here",
    "watched_table",
    "write_transcript",
]
