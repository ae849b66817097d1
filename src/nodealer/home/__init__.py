"""The home of a player: what a player does, as calls and values.

Tables found again and the lobbies that lead to them, people and their words, the sessions of hosts
and guests, what drives a seat: for whoever shows it, be it lines that are typed or a page. Nothing
here reads a command line, prints or asks; what can be told is a value, and what is not possible is
an error with a name.

    my_tables, my_lobbies         what this player has open, and how it is gone on with
    host_session, guest_session   lobbies while people gather, and what their players want
    hindrances                    why a wish is not granted yet
    people                        who is there, and what is known of them
    listening_places, sitting     where the node of this player listens, and what it has open
    seat_driver, seat_client      what drives a seat: who is shown a table, or a program
    finished, leaving, mending    getting up, leaving for good, and going on after damage
    latest                        the newest of many values, for who shows it
    clock                         the time of day
"""

from nodealer.home.clock import day_of
from nodealer.home.finished import Finished, write_transcript
from nodealer.home.guest_session import AnswerWanted, GuestNews, GuestSession, Unheard, Voided
from nodealer.home.hindrances import FreeSeatError, LobbyError, OtherKeyError, UnreadOfferError
from nodealer.home.host_session import Banished, HostNews, HostSession
from nodealer.home.leaving import leave_and_wait
from nodealer.home.listening_places import address_given, listen_again, listening_at, places_before
from nodealer.home.mending import Mend, mend
from nodealer.home.my_lobbies import FoundLobby, Shelf, listed, lobby_by, table_line
from nodealer.home.my_tables import FoundTable, refused, table_by, table_in, tables_of
from nodealer.home.people import Company
from nodealer.home.seat_client import SeatClient
from nodealer.home.seat_driver import SeatDriver
from nodealer.home.sitting import book_of, in_lobbies, journal_of, opened_table, see_to_the_end

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
    "OtherKeyError",
    "SeatClient",
    "SeatDriver",
    "Shelf",
    "Unheard",
    "UnreadOfferError",
    "Voided",
    "address_given",
    "book_of",
    "day_of",
    "in_lobbies",
    "journal_of",
    "leave_and_wait",
    "listed",
    "listen_again",
    "listening_at",
    "lobby_by",
    "mend",
    "opened_table",
    "places_before",
    "refused",
    "see_to_the_end",
    "table_by",
    "table_in",
    "table_line",
    "tables_of",
    "write_transcript",
]
