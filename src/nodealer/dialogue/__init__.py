"""The dialogue with a page: what a player is shown and wants, as texts over any channel.

    texts                        JSON on one line, of bounded length, with nothing in it but words
    wishes                       what a page wants, read with bounds
    table_fields, home_fields    a table, a lobby, the home and a verdict, in ready sentences
    visit                        what one page has been told, and what waits for it
    dialogue                     what is shown, to which pages, and the choice that they make

Nothing here reads or writes, and nothing knows a terminal, a socket or a page. The page of it is
specs/12-dialogue.md.
"""

from nodealer.dialogue.dialogue import (
    Dialogue,
    GrantedWish,
    Request,
    answered,
    dismissed,
    entered,
    gone,
    heard,
    next_text,
    opened,
    with_home,
    with_lobby,
    with_recording,
    with_table,
    with_verdict,
)
from nodealer.dialogue.home_fields import (
    LISTED_MAX,
    ClockListed,
    HomeShown,
    LobbyShown,
    OpenTerms,
    PersonListed,
    SeatOffered,
    TableListed,
    TermShown,
    VerdictShown,
    verdict_on,
)
from nodealer.dialogue.texts import TEXT_BYTES_MAX, VERSION
from nodealer.dialogue.wishes import (
    AcceptOffer,
    ChangeOffer,
    CloseSubject,
    ConfirmWords,
    EndLobby,
    FilePiece,
    HomeWish,
    HostLobby,
    JoinLobby,
    JudgeFile,
    Objection,
    OpenAgain,
    Practise,
    RenewInvites,
    ReplayTable,
    SendAway,
    StartTable,
    TakeBackAnswer,
)

__all__ = [
    "LISTED_MAX",
    "TEXT_BYTES_MAX",
    "VERSION",
    "AcceptOffer",
    "ChangeOffer",
    "ClockListed",
    "CloseSubject",
    "ConfirmWords",
    "Dialogue",
    "EndLobby",
    "FilePiece",
    "GrantedWish",
    "HomeShown",
    "HomeWish",
    "HostLobby",
    "JoinLobby",
    "JudgeFile",
    "LobbyShown",
    "Objection",
    "OpenAgain",
    "OpenTerms",
    "PersonListed",
    "Practise",
    "RenewInvites",
    "ReplayTable",
    "Request",
    "SeatOffered",
    "SendAway",
    "StartTable",
    "TableListed",
    "TakeBackAnswer",
    "TermShown",
    "VerdictShown",
    "answered",
    "dismissed",
    "entered",
    "gone",
    "heard",
    "next_text",
    "opened",
    "verdict_on",
    "with_home",
    "with_lobby",
    "with_recording",
    "with_table",
    "with_verdict",
]
