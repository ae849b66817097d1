"""The wishes of a page: texts read with bounds, into values or into the slug of what is wrong.

A page may be wrong in every way, and so may be a program in its place. Whatever it sends becomes a
wish with a number or a `WishError`, and nothing else; what a wish has beside its fields is passed
over. Wishes that concern the home of the player leave the dialogue as they are: whoever has a home
carries them out.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer.dialogue.texts import TEXT_BYTES_MAX
from nodealer.games import JsonValue
from nodealer.kernel import SEATS_MAX, LocalError, Reason
from nodealer.show import LinePlace

NUMBER_MAX: Final = 2**53 - 1
"""The greatest number that JSON of a page holds exactly."""

WORD_LETTERS_MAX: Final = 200
"""Of names, marks and values; an invite has up to so many of some thousand."""

INVITE_LETTERS_MAX: Final = 8_192

SAID_LETTERS_MAX: Final = 2_000
"""What is too long for the chat, the chat says."""

OPTIONS_MAX: Final = 64

PIECE_BYTES_MAX: Final = 45_000


class Objection(Enum):
    """The reason why a wish is refused before anybody tries to grant it."""

    MALFORMED = "malformed"
    TOO_LONG = "too-long"
    UNKNOWN = "unknown-wish"
    FIELD = "bad-field"
    LATE = "late"
    NOT_HERE = "not-here"
    NOT_GRANTED = "not-granted"


class WishError(LocalError):
    """A text that is no wish, or a wish that is refused; with its number, where it has one."""

    def __init__(self, objection: Objection, detail: str = "", number: int | None = None) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, detail)
        self.objection = objection
        self.number = number


@dataclass(frozen=True, slots=True)
class FollowWish:
    """Be shown everything; and the last lines that the page has, of the table of that mark."""

    mark: str = ""
    log: LinePlace | None = None
    chat: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ChoiceWish:
    """One step of a choice: a card, a kind, an option, or nothing beside its name."""

    step: str
    height: int
    about: int | str | None = None


@dataclass(frozen=True, slots=True)
class PlayWish:
    """Play what would be played, by its number among the legal actions."""

    height: int
    action: int


@dataclass(frozen=True, slots=True)
class TableWish:
    """Something else that concerns the table."""

    name: str
    height: int | None = None
    text: str = ""
    seat: int = 0


@dataclass(frozen=True, slots=True)
class HomeWish:
    """Something that concerns the home of the player; it leaves the dialogue as it is."""


@dataclass(frozen=True, slots=True)
class Practise(HomeWish):
    """Play against bots."""

    game: str
    seats: int
    options: Mapping[str, int | str | bool] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class HostLobby(HomeWish):
    """Open a lobby."""

    game: str
    seats: int
    clock: str
    name: str
    policy: str = ""
    """What becomes of the round when a seat is left out; the game's own, where nothing is said."""
    options: Mapping[str, int | str | bool] = field(default_factory=lambda: MappingProxyType({}))
    friends: tuple[str, ...] = ()
    """The names of those who may come without an invite."""


@dataclass(frozen=True, slots=True)
class LookForFriends(HomeWish):
    """Ask friends on this network whether a lobby of theirs is open for the player."""


@dataclass(frozen=True, slots=True)
class JoinLobby(HomeWish):
    """Visit the lobby of an invite."""

    invite: str = field(repr=False)
    name: str


@dataclass(frozen=True, slots=True)
class OpenAgain(HomeWish):
    """Go on at a table or in a lobby."""

    mark: str


@dataclass(frozen=True, slots=True)
class CloseSubject(HomeWish):
    """Go back to the home; nothing is lost."""


@dataclass(frozen=True, slots=True)
class AcceptOffer(HomeWish):
    """Accept the offer of that number, as a guest."""

    offer: int


@dataclass(frozen=True, slots=True)
class TakeBackAnswer(HomeWish):
    """Take the answer back, or the start."""


@dataclass(frozen=True, slots=True)
class StartTable(HomeWish):
    """Found the table of the offer of that number, as a host."""

    offer: int


@dataclass(frozen=True, slots=True)
class SendAway(HomeWish):
    """Send somebody away for good."""

    name: str


@dataclass(frozen=True, slots=True)
class ConfirmWords(HomeWish):
    """Remember that the words of somebody were compared."""

    name: str


@dataclass(frozen=True, slots=True)
class ChangeOffer(HomeWish):
    """Change what is offered: an option, the seats, the clock, the policy."""

    what: str
    value: str


@dataclass(frozen=True, slots=True)
class RenewInvites(HomeWish):
    """Make new invites, which make the old ones void."""


@dataclass(frozen=True, slots=True)
class EndLobby(HomeWish):
    """Leave the lobby, or close it."""


@dataclass(frozen=True, slots=True)
class ReplayTable(HomeWish):
    """Look at the record of a table."""

    mark: str


@dataclass(frozen=True, slots=True)
class StepTo:
    """Look at another entry of the record, from the chair of a seat or as everybody."""

    height: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class JudgeFile(HomeWish):
    """Judge a file of that many bytes, which comes in pieces."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class FilePiece(HomeWish):
    """The next bytes of that file."""

    data: bytes = field(repr=False)


PageWish: TypeAlias = FollowWish | ChoiceWish | PlayWish | TableWish | StepTo | HomeWish
"""All that a page can want."""

WishFields: TypeAlias = Mapping[str, JsonValue]
Reader: TypeAlias = Callable[[str, WishFields], PageWish]


def read_wish(text: str) -> tuple[int, PageWish]:
    """Return the number of a wish and what is wished, or raise `WishError`."""
    if len(text) > TEXT_BYTES_MAX or len(text.encode(errors="replace")) > TEXT_BYTES_MAX:
        raise WishError(Objection.TOO_LONG, f"a text has at most {TEXT_BYTES_MAX} bytes")
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WishError(Objection.MALFORMED, "a text is one JSON object") from error
    if not isinstance(given, dict):
        raise WishError(Objection.MALFORMED, "a text is one JSON object")
    number, name = given.get("n"), given.get("do")
    if type(number) is not int or not _is_number(number, NUMBER_MAX):
        raise WishError(Objection.MALFORMED, "a wish has a number")
    if not isinstance(name, str):
        raise WishError(Objection.MALFORMED, "a wish says in `do` what it is", number)
    if name not in READERS:
        raise WishError(Objection.UNKNOWN, "there is no such wish", number)
    try:
        return number, READERS[name](name, given)
    except WishError as error:
        raise WishError(error.objection, error.detail, number) from error


def _follow(_: str, given: WishFields) -> FollowWish:
    mark = _text(given, "mark") if "mark" in given else ""
    log, chat = (_pair(given, name) for name in ("log", "chat"))
    return FollowWish(mark, None if log is None else LinePlace(*log), chat)


def _of_card(name: str, given: WishFields) -> ChoiceWish:
    return ChoiceWish(name, _number(given, "height"), _number(given, "card"))


def _table(name: str, given: WishFields) -> TableWish:
    match name:
        case "again":
            return TableWish(name, height=_number(given, "height"))
        case "say":
            return TableWish(name, text=_text(given, "text", SAID_LETTERS_MAX))
        case "mute" | "unmute":
            return TableWish(name, seat=_number(given, "seat", SEATS_MAX - 1))
        case "leave" if given.get("sure") is not True:
            raise WishError(Objection.FIELD, "leaving cannot be taken back: `sure` is needed")
        case _:
            return TableWish(name)


READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "follow": _follow,
        "pick": _of_card,
        "put-back": _of_card,
        "choose": lambda name, given: ChoiceWish(
            name, _number(given, "height"), _text(given, "kind")
        ),
        "answer": lambda name, given: ChoiceWish(
            name, _number(given, "height"), _number(given, "option")
        ),
        "back": lambda name, given: ChoiceWish(name, _number(given, "height")),
        "clear": lambda name, given: ChoiceWish(name, _number(given, "height")),
        "play": lambda _, given: PlayWish(_number(given, "height"), _number(given, "action")),
        **dict.fromkeys(
            ("again", "leave", "put-away", "say", "mute", "unmute", "rules", "links"), _table
        ),
        "practise": lambda _, given: Practise(
            _text(given, "game"), _number(given, "seats", SEATS_MAX), _options(given)
        ),
        "host": lambda _, given: HostLobby(
            _text(given, "game"),
            _number(given, "seats", SEATS_MAX),
            _text(given, "clock"),
            _text(given, "name"),
            _text(given, "policy") if "policy" in given else "",
            _options(given),
            _names(given, "friends") if "friends" in given else (),
        ),
        "look": lambda *_: LookForFriends(),
        "join": lambda _, given: JoinLobby(
            _text(given, "invite", INVITE_LETTERS_MAX), _text(given, "name")
        ),
        "open": lambda _, given: OpenAgain(_text(given, "mark")),
        "close": lambda *_: CloseSubject(),
        "accept": lambda _, given: AcceptOffer(_number(given, "offer")),
        "take-back": lambda *_: TakeBackAnswer(),
        "start": lambda _, given: StartTable(_number(given, "offer")),
        "send-away": lambda _, given: SendAway(_text(given, "name")),
        "confirm": lambda _, given: ConfirmWords(_text(given, "name")),
        "change": lambda _, given: ChangeOffer(_text(given, "what"), _text(given, "value")),
        "renew-invites": lambda *_: RenewInvites(),
        "end": lambda *_: EndLobby(),
        "replay": lambda _, given: ReplayTable(_text(given, "mark")),
        "step": lambda _, given: StepTo(
            _number(given, "to"),
            None if given.get("seat") is None else _number(given, "seat", SEATS_MAX - 1),
        ),
        "judge": lambda _, given: JudgeFile(_text(given, "name"), _number(given, "size")),
        "piece": lambda _, given: FilePiece(_bytes(given, "data")),
    }
)
"""All wishes by their names."""


def _is_number(value: JsonValue, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _number(given: WishFields, name: str, most: int = NUMBER_MAX) -> int:
    value = given.get(name)
    if type(value) is not int or not _is_number(value, most):
        raise WishError(Objection.FIELD, f"`{name}` is a number from 0 to {most}")
    return value


def _text(given: WishFields, name: str, letters: int = WORD_LETTERS_MAX) -> str:
    value = given.get(name)
    if not isinstance(value, str) or len(value) > letters:
        raise WishError(Objection.FIELD, f"`{name}` is a text of at most {letters} letters")
    return value


def _names(given: WishFields, name: str) -> tuple[str, ...]:
    value = given.get(name)
    if not isinstance(value, list) or len(value) > OPTIONS_MAX:
        raise WishError(Objection.FIELD, f"`{name}` are at most {OPTIONS_MAX} names")
    return tuple(_text({name: one}, name) for one in value)


def _pair(given: WishFields, name: str) -> tuple[int, int] | None:
    value = given.get(name)
    if value is None:
        return None
    match value:
        case [int() as first, int() as second] if _is_number(first, NUMBER_MAX) and _is_number(
            second, NUMBER_MAX
        ):
            return first, second
    raise WishError(Objection.FIELD, f"`{name}` is two numbers")


def _options(given: WishFields) -> Mapping[str, int | str | bool]:
    value = given.get("options", {})
    if not isinstance(value, dict) or len(value) > OPTIONS_MAX:
        raise WishError(Objection.FIELD, "`options` are values by their names")
    found: dict[str, int | str | bool] = {}
    for name, one in value.items():
        is_text = isinstance(one, str) and len(one) <= INVITE_LETTERS_MAX
        if not (is_text or isinstance(one, bool) or _is_number(one, NUMBER_MAX)):
            raise WishError(Objection.FIELD, "an option is a text, a number or a truth value")
        found[name] = one
    return MappingProxyType(found)


def _bytes(given: WishFields, name: str) -> bytes:
    value = _text(given, name, 2 * PIECE_BYTES_MAX)
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError) as error:
        raise WishError(Objection.FIELD, f"`{name}` is base64") from error
    if len(data) > PIECE_BYTES_MAX:
        raise WishError(Objection.FIELD, f"`{name}` has at most {PIECE_BYTES_MAX} bytes")
    return data
