"""The table as a player is shown it: values and words, wherever they are shown.

A screen, plain lines and a page are made of these and of nothing else. Nothing here knows a
terminal, and nothing here does anything: what is not a value is a function of values.

    book, telling          what no table knows, and the log in words
    snapshot               one frozen value with all that is shown
    progress, remarks      joint steps seat by seat, and what the game says of a view
    notices                what is out of order at a table
    menus                  from the legal actions to what is asked
    deciding               the steps of a choice, what is asked, what would be played
    commands, driver       what a player can want, and who carries it out
    wording                the sentences of a snapshot
    recorded, proof_words  a snapshot for each entry of a recorded game, and what was proven of it
    net, card_text, times  links, cards and spans of time in words
    text                   text of others, cleaned, measured and cut
"""

from nodealer.show import menus
from nodealer.show.book import (
    CHAT_CHARACTERS_MAX,
    LOG_LINES_MAX,
    Book,
    ChatLine,
    LinePlace,
    LogLine,
    chat_after,
    chatted,
    counted,
    held,
    muted,
    noted,
    opened,
    reached,
    told,
    unmuted,
)
from nodealer.show.card_text import card_name, suit_of
from nodealer.show.commands import COMMANDS, PUT_AWAY, Command, Say, read_command, usage
from nodealer.show.deciding import (
    Decision,
    Hitch,
    StepError,
    carried,
    cleared,
    decision_for,
    played,
    undone,
    why_not,
    with_answer,
    with_card,
    with_kind,
    without_card,
)
from nodealer.show.driver import Driver, granted
from nodealer.show.menus import Cards, Menu, MenuChoice, MenuOption, Question, menu_of
from nodealer.show.net import net_lines, reach_words
from nodealer.show.notices import Notice
from nodealer.show.progress import Share, StepProgress
from nodealer.show.recorded import Recording, recorded, recording_of
from nodealer.show.snapshot import (
    Asked,
    SeatShown,
    SeatStanding,
    Sitting,
    Snapshot,
    again_wished,
    snapshot_of,
)
from nodealer.show.telling import Tone
from nodealer.show.text import clean, columns_of, cut, first_sentence, padded, wrapped
from nodealer.show.times import TICKS_A_SECOND, in_words
from nodealer.show.wording import Speaker, awaited, order_of_cards, seen_by_seat

__all__ = [
    "CHAT_CHARACTERS_MAX",
    "COMMANDS",
    "LOG_LINES_MAX",
    "PUT_AWAY",
    "TICKS_A_SECOND",
    "Asked",
    "Book",
    "Cards",
    "ChatLine",
    "Command",
    "Decision",
    "Driver",
    "Hitch",
    "LinePlace",
    "LogLine",
    "Menu",
    "MenuChoice",
    "MenuOption",
    "Notice",
    "Question",
    "Recording",
    "Say",
    "SeatShown",
    "SeatStanding",
    "Share",
    "Sitting",
    "Snapshot",
    "Speaker",
    "StepError",
    "StepProgress",
    "Tone",
    "again_wished",
    "awaited",
    "card_name",
    "carried",
    "chat_after",
    "chatted",
    "clean",
    "cleared",
    "columns_of",
    "counted",
    "cut",
    "decision_for",
    "first_sentence",
    "granted",
    "held",
    "in_words",
    "menu_of",
    "menus",
    "muted",
    "net_lines",
    "noted",
    "opened",
    "order_of_cards",
    "padded",
    "played",
    "reach_words",
    "reached",
    "read_command",
    "recorded",
    "recording_of",
    "seen_by_seat",
    "snapshot_of",
    "suit_of",
    "told",
    "undone",
    "unmuted",
    "usage",
    "why_not",
    "with_answer",
    "with_card",
    "with_kind",
    "without_card",
    "wrapped",
]
