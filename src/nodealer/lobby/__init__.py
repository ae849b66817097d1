"""The way to a table: an invite, people who come and go, an offer that all of them accept.

A lobby belongs to its host, who decides what is offered, and to nobody as soon as all have
answered: offer and answers are the charter of a table (`table.charter`), and the ledger goes on
with the seals of all. Nothing here opens a socket, reads a clock or draws a number; secrets, seeds,
links and addresses are handed in.

    invite, qr                the one line that is passed on, and the QR code of it
    messages, forms           what is sent, with bounds for everything
    signed                    who has signed what
    terms                     an offer as terms, answers, the charter
    moves                     what is done with everything in every phase, as tables
    asking                    the question of a friend whether it may come, without an invite
    comparing                 two words to compare, which nobody can forge
    sayings                   the lines that people say to each other
    host, hosting             the lobby of a host: the value, and what happens to it
    host_draft, admitting     what is told to whom, and who is let in
    guest, visiting           the lobby of a guest: the value, and what happens to it
    ready, advice             what the caller has to do after an input, and what to tell people
    record                    what is stored, and opened again
    address_book              where somebody can be reached, as it has signed itself

`hosting` and `visiting` are used as modules: `visiting.accept(guest, …)`.
"""

from nodealer.lobby import hosting, visiting
from nodealer.lobby.address_book import AddressBook
from nodealer.lobby.advice import advice, clock_warnings
from nodealer.lobby.asking import (
    ASK,
    INVITED,
    NO_LOBBY,
    MayICome,
    YouMayCome,
    answer_to,
    read_asking,
)
from nodealer.lobby.comparing import CHANCE_BYTES
from nodealer.lobby.forms import ADDRESSES_MAX, LOBBY_BYTES
from nodealer.lobby.guest import Guest
from nodealer.lobby.host import Host, Keys
from nodealer.lobby.invite import Invite, TornInviteError, join_command, read_invite, write_invite
from nodealer.lobby.messages import (
    JOIN_BYTES_MAX,
    KINDS,
    AddressRecord,
    Attendee,
    LobbyLine,
    Offer,
    read,
    unknown_here,
    write,
)
from nodealer.lobby.moves import GUEST, HOST, GuestPhase, HostPhase
from nodealer.lobby.qr import square_rows, terminal_lines
from nodealer.lobby.ready import (
    Answered,
    Came,
    CharterWhole,
    Kept,
    LineSaid,
    LinkEnd,
    LobbyEvent,
    LobbyOver,
    LobbyReady,
    Offered,
    TooLate,
    TurnedAway,
    TwoOffers,
    Went,
    WordsDrawn,
)
from nodealer.lobby.record import Seen, look_at_guest, look_at_host, reopen_guest, reopen_host
from nodealer.lobby.sayings import SaidAt, may_be_said
from nodealer.lobby.signed import address_record
from nodealer.lobby.terms import (
    NewSeat,
    TablePlan,
    is_by_letters,
    plan_in,
    plan_of,
    taken_by,
    with_clock,
)

__all__ = [
    "ADDRESSES_MAX",
    "ASK",
    "CHANCE_BYTES",
    "GUEST",
    "HOST",
    "INVITED",
    "JOIN_BYTES_MAX",
    "KINDS",
    "LOBBY_BYTES",
    "NO_LOBBY",
    "AddressBook",
    "AddressRecord",
    "Answered",
    "Attendee",
    "Came",
    "CharterWhole",
    "Guest",
    "GuestPhase",
    "Host",
    "HostPhase",
    "Invite",
    "Kept",
    "Keys",
    "LineSaid",
    "LinkEnd",
    "LobbyEvent",
    "LobbyLine",
    "LobbyOver",
    "LobbyReady",
    "MayICome",
    "NewSeat",
    "Offer",
    "Offered",
    "SaidAt",
    "Seen",
    "TablePlan",
    "TooLate",
    "TornInviteError",
    "TurnedAway",
    "TwoOffers",
    "Went",
    "WordsDrawn",
    "YouMayCome",
    "address_record",
    "advice",
    "answer_to",
    "clock_warnings",
    "hosting",
    "is_by_letters",
    "join_command",
    "look_at_guest",
    "look_at_host",
    "may_be_said",
    "plan_in",
    "plan_of",
    "read",
    "read_asking",
    "read_invite",
    "reopen_guest",
    "reopen_host",
    "square_rows",
    "taken_by",
    "terminal_lines",
    "unknown_here",
    "visiting",
    "with_clock",
    "write",
    "write_invite",
]
