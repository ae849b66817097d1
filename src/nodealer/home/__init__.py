"""The home of a player: what a player does, as calls and values.

Tables found again and the lobbies that lead to them, people and their words, the sessions of hosts
and guests, what drives a seat: for whoever shows it, be it lines that are typed or a page. Nothing
here reads a command line, prints or asks; what can be told is a value, and what is not possible is
an error with a name.

    my_tables, my_lobbies         what this player has open, and how it is gone on with
    host_session, guest_session   lobbies while people gather, and what their players want
    hindrances, lobby_lines       why a wish is not granted yet; what happens there, in words
    offers, term_words            what is agreed on with an offer, what of it has changed, in words
    people                        who is there, and what is known of them
    friends_lobbies               the lobbies of friends that are open for this player
    listening_places, sitting     where the node of this player listens, and what it has open
    playing, seat_client          who plays at a table that is open: a person, a bot, a program
    seat_driver, latest           what a person is shown of it, the newest of it first
    watching                      the table of others, found by the address of a seat
    finished, leaving, mending    getting up, leaving for good, and going on after damage
    standings                     how a table stands, in words, and remembered
    failures                      what is to be said of many tasks that have failed together
    clock                         the time of day
"""

from nodealer.home.clock import day_of
from nodealer.home.failures import told_failure
from nodealer.home.finished import Finished, write_transcript
from nodealer.home.friends_lobbies import (
    LobbyForMe,
    found_open,
    friend_called,
    friends_of,
    keep_asking,
    lobbies_for_me,
)
from nodealer.home.guest_session import AnswerWanted, GuestNews, GuestSession, Unheard, Voided
from nodealer.home.hindrances import FreeSeatError, LobbyError, OtherKeyError, UnreadOfferError
from nodealer.home.host_session import Banished, HostNews, HostSession
from nodealer.home.leaving import leave_and_wait
from nodealer.home.listening_places import address_given, is_moved, listening_at, places_before
from nodealer.home.lobby_lines import event_lines
from nodealer.home.mending import Mend, mend
from nodealer.home.my_lobbies import (
    FoundLobby,
    Shelf,
    announce,
    declare,
    expect,
    listed,
    lobby_by,
    table_line,
)
from nodealer.home.my_tables import (
    FoundTable,
    TableStage,
    noted_standing,
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
)
from nodealer.home.people import Company, known_since, named, standing_in
from nodealer.home.playing import NetSeen, Show, linger, net_seen, play
from nodealer.home.seat_client import SeatClient
from nodealer.home.seat_driver import SeatDriver
from nodealer.home.sitting import in_lobbies, journal_of, load_network, opened_table, sitting_at
from nodealer.home.standings import (
    StandingNotes,
    StandingTold,
    standing_now,
    standing_of,
    told_standing,
)
from nodealer.home.term_words import NOTES, POLICIES, option_value, term_label, term_value
from nodealer.home.watching import SeatAt, journal_to_watch, note_seats, seat_at, watched_table

__all__ = [
    "NOTES",
    "POLICIES",
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
    "LobbyForMe",
    "Mend",
    "NetSeen",
    "OfferedTerm",
    "OtherKeyError",
    "SeatAt",
    "SeatClient",
    "SeatDriver",
    "Shelf",
    "Show",
    "StandingNotes",
    "StandingTold",
    "TableStage",
    "TermKind",
    "Unheard",
    "UnreadOfferError",
    "Voided",
    "address_given",
    "announce",
    "changes_between",
    "day_of",
    "declare",
    "event_lines",
    "expect",
    "found_open",
    "friend_called",
    "friends_of",
    "in_lobbies",
    "is_moved",
    "journal_of",
    "journal_to_watch",
    "keep_asking",
    "known_since",
    "leave_and_wait",
    "linger",
    "listed",
    "listening_at",
    "load_network",
    "lobbies_for_me",
    "lobby_by",
    "mend",
    "named",
    "net_seen",
    "note_seats",
    "noted_standing",
    "opened_table",
    "option_value",
    "places_before",
    "play",
    "refused",
    "seat_at",
    "sitting_at",
    "stage_of",
    "standing_in",
    "standing_now",
    "standing_of",
    "table_by",
    "table_in",
    "table_line",
    "table_mark",
    "tables_of",
    "term_label",
    "term_value",
    "terms_offered",
    "told_failure",
    "told_standing",
    "watched_table",
    "write_transcript",
]
