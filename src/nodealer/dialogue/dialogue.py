"""The dialogue: what is shown to a player, the pages that it is shown on, the choice they make.

    dialogue, page = entered(dialogue)                     a page has come
    dialogue = with_table(dialogue, snapshot)              there is something newer to show
    dialogue, request = heard(dialogue, page, text)        a text of a page
    dialogue = answered(dialogue, request, why_not)        what came of the request
    dialogue, text = next_text(dialogue, page)             what the page is told next
    dialogue = gone(dialogue, page)                        nothing of it is left

A `Request` is what the dialogue cannot do by itself: an action to be played, something to say, a
command, or a wish that concerns the home. Whoever runs the dialogue carries it out and answers it.
All else is answered here. `next_text` is asked whenever the channel to a page has room, and says
nothing when there is nothing to say: so no text is made that is not sent.

All pages of a dialogue belong to one player. What that player is choosing lies here, beside them:
each page is shown it, any of them may go on with it. What was meant for another height, or for
another choice, is refused, so a late click plays nothing. The page is specs/12-dialogue.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

from nodealer import __version__
from nodealer.dialogue.home_fields import (
    HomeShown,
    LobbyShown,
    VerdictShown,
    home_fields,
    invite_fields,
    lobby_fields,
    verdict_fields,
)
from nodealer.dialogue.table_fields import at_tick, number_of, table_text
from nodealer.dialogue.texts import VERSION, Fields, written, written_page
from nodealer.dialogue.visit import PageTold, at_line, chat_text, ended, log_text, replied
from nodealer.dialogue.wishes import (
    AcceptOffer,
    ChoiceWish,
    FollowWish,
    HomeWish,
    Objection,
    PageWish,
    PlayWish,
    StartTable,
    StepTo,
    TableWish,
    WishError,
    read_wish,
)
from nodealer.games import Action
from nodealer.kernel import Seat, SlotId
from nodealer.show import (
    Command,
    Decision,
    LinePlace,
    Recording,
    Say,
    Snapshot,
    Speaker,
    StepError,
    again_wished,
    carried,
    cleared,
    decision_for,
    net_lines,
    played,
    recorded,
    undone,
    why_not,
    with_answer,
    with_card,
    with_kind,
    without_card,
)

GrantedWish: TypeAlias = Action | Say | Command | HomeWish
"""A wish that whoever runs the dialogue carries out."""

Shown: TypeAlias = Snapshot | LobbyShown | HomeShown
"""The one thing that is shown at a time."""

NO_HOME: Final = HomeShown("", ())


@dataclass(frozen=True, slots=True)
class Request:
    """A wish of a page that has to be carried out, and answered."""

    page: int
    number: int
    wish: GrantedWish


@dataclass(frozen=True, slots=True)
class Dialogue:
    """All that is said and shown to one player."""

    shown: Shown = NO_HOME
    decision: Decision | None = None
    """What the player is choosing, where a table is shown."""
    recording: Recording | None = None
    state: str = ""
    """The text that says what is shown now; of a table, without the tick at which it is said."""
    number: int = 0
    """The number of that state; it goes up whenever the text is another."""
    visits: Mapping[int, PageTold] = field(default_factory=lambda: MappingProxyType({}))
    pages: int = 0
    """How many pages have come so far."""


def opened() -> Dialogue:
    """Return a dialogue with an empty home."""
    return with_home(Dialogue(), NO_HOME)


# What is shown.


def with_home(dialogue: Dialogue, home: HomeShown) -> Dialogue:
    """Return the dialogue with the home shown."""
    return _showing(replace(dialogue, shown=home, decision=None, recording=None))


def with_lobby(dialogue: Dialogue, lobby: LobbyShown) -> Dialogue:
    """Return the dialogue with a lobby shown."""
    return _showing(replace(dialogue, shown=lobby, decision=None, recording=None))


def with_table(dialogue: Dialogue, snapshot: Snapshot) -> Dialogue:
    """Return the dialogue with a table shown, or a newer state of it."""
    dialogue = _at_table(replace(dialogue, recording=None), snapshot)
    before = dialogue.decision
    decision = decision_for(snapshot) if before is None else carried(before, snapshot)
    return _showing(replace(dialogue, shown=snapshot, decision=decision))


def with_recording(
    dialogue: Dialogue, recording: Recording, height: int = 0, seat: Seat | None = None
) -> Dialogue:
    """Return the dialogue with an entry of a record shown; the log ends with it."""
    snapshot = recorded(recording, min(height, recording.last), seat)
    dialogue, known = _at_table(dialogue, snapshot), snapshot.log[-1].at
    visits = {
        page: at_line(visit, LinePlace(snapshot.height, 0), None)
        if visit.log is not None and visit.log > known
        else visit
        for page, visit in dialogue.visits.items()
    }
    return _showing(
        replace(
            dialogue,
            shown=snapshot,
            decision=decision_for(snapshot),
            recording=recording,
            visits=MappingProxyType(visits),
        )
    )


def with_verdict(dialogue: Dialogue, page: int, verdict: VerdictShown) -> Dialogue:
    """Return the dialogue with a page told the verdict on the file that it has brought."""
    return _replying(dialogue, page, written("verdict", verdict_fields(verdict)))


def _at_table(dialogue: Dialogue, snapshot: Snapshot) -> Dialogue:
    """Return the dialogue at the table of a snapshot: pages have no lines of another one."""
    if isinstance(dialogue.shown, Snapshot) and dialogue.shown.mark == snapshot.mark:
        return dialogue
    visits = {page: at_line(visit, None, None) for page, visit in dialogue.visits.items()}
    return replace(dialogue, decision=None, visits=MappingProxyType(visits))


def _showing(dialogue: Dialogue) -> Dialogue:
    """Return the dialogue with the text of what it shows; the same text is no news.

    Where no page is there none is written.
    """
    text = _state(dialogue) if dialogue.visits else ""
    if text == dialogue.state:
        return dialogue
    return replace(dialogue, state=text, number=dialogue.number + 1)


def _state(dialogue: Dialogue) -> str:
    shown = dialogue.shown
    if isinstance(shown, HomeShown):
        return written("home", home_fields(shown), own={"invite": shown.invite})
    if isinstance(shown, LobbyShown):
        return written("lobby", lobby_fields(shown), own=invite_fields(shown))
    assert dialogue.decision is not None, "there is one beside each table"
    return table_text(shown, dialogue.decision, _recording(dialogue))


def _recording(dialogue: Dialogue) -> Fields:
    recording, shown = dialogue.recording, dialogue.shown
    if recording is None or not isinstance(shown, Snapshot):
        return {}
    return {
        "recording": {
            "last": recording.last,
            "says": list(recording.told(shown.height)),
            "signed": list(recording.signed(shown.height)),
            "proven": list(recording.proven(shown.height)),
            "hands": list(recording.hands(shown.height)),
            "seat": shown.view.viewer,
            "verdict": recording.verdict.value,
        }
    }


# Pages.


def entered(dialogue: Dialogue) -> tuple[Dialogue, int]:
    """Return the dialogue with one more page, and the number of that page."""
    page = dialogue.pages + 1
    hello = written("hello", {"version": VERSION, "program": f"nodealer {__version__}"})
    return _showing(_visiting(replace(dialogue, pages=page), page, PageTold((hello,)))), page


def gone(dialogue: Dialogue, page: int) -> Dialogue:
    """Return the dialogue without a page."""
    visits = {number: one for number, one in dialogue.visits.items() if number != page}
    return replace(dialogue, visits=MappingProxyType(visits))


def dismissed(dialogue: Dialogue, page: int, why: str) -> Dialogue:
    """Return the dialogue with a page told that nothing more comes."""
    return _visiting(dialogue, page, ended(dialogue.visits[page], why))


def next_text(dialogue: Dialogue, page: int) -> tuple[Dialogue, str | None]:
    """Return what a page is told next, if there is anything to tell."""
    visit = dialogue.visits.get(page)
    if visit is None:
        return dialogue, None
    if visit.replies:
        text, *others = visit.replies
        return _visiting(dialogue, page, replace(visit, replies=tuple(others))), text
    if not visit.is_following or visit.is_over:
        return dialogue, None
    if visit.told != dialogue.number:
        shown = dialogue.shown
        text = dialogue.state
        text = at_tick(text, shown.now) if isinstance(shown, Snapshot) else text
        return _visiting(dialogue, page, replace(visit, told=dialogue.number)), text
    if isinstance(dialogue.shown, Snapshot):
        shown = dialogue.shown
        further = log_text(visit, shown.log) or chat_text(visit, shown.chat)
        if further is not None:
            return _visiting(dialogue, page, further[0]), further[1]
    return dialogue, None


def _visiting(dialogue: Dialogue, page: int, visit: PageTold) -> Dialogue:
    return replace(dialogue, visits=MappingProxyType({**dialogue.visits, page: visit}))


def _replying(dialogue: Dialogue, page: int, *texts: str) -> Dialogue:
    visit = dialogue.visits.get(page)
    for text in texts if visit is not None else ():
        visit = replied(visit, text) if visit is not None else None
    return dialogue if visit is None else _visiting(dialogue, page, visit)


# What is wished.


def heard(dialogue: Dialogue, page: int, text: str) -> tuple[Dialogue, Request | None]:
    """Return the dialogue after a text of a page, and what has to be carried out, if anything.

    A page that has gone, or was told that nothing more comes, is not heard.
    """
    visit = dialogue.visits.get(page)
    if visit is None or visit.is_over:
        return dialogue, None
    number = None
    try:
        number, wish = read_wish(text)
        return _wished(dialogue, page, number, wish)
    except WishError as error:
        asked = error.number if number is None else number
        return _refused(dialogue, page, asked, error.objection.value, error.detail), None
    except StepError as error:
        says = _why_not(dialogue, error)
        return _refused(dialogue, page, number, error.hitch.value, says), None


def answered(dialogue: Dialogue, request: Request, why: str = "", says: str = "") -> Dialogue:
    """Return the dialogue with a request answered: refused if there is a reason why."""
    if why:
        slug = Objection.NOT_GRANTED.value
        return _refused(dialogue, request.page, request.number, slug, why)
    return _replying(dialogue, request.page, _answer(request.number, None, says))


def _wished(
    dialogue: Dialogue, page: int, number: int, wish: PageWish
) -> tuple[Dialogue, Request | None]:
    if isinstance(wish, HomeWish):
        _require_offer(dialogue, wish)
        return dialogue, Request(page, number, wish)
    if isinstance(wish, PlayWish):
        dialogue, action = _played(dialogue, wish)
        return dialogue, Request(page, number, action)
    if isinstance(wish, TableWish):
        return _about_table(dialogue, page, number, wish)
    if isinstance(wish, FollowWish):
        dialogue = _following(dialogue, page, wish)
    elif isinstance(wish, StepTo):
        dialogue = _turned(dialogue, wish)
    else:
        dialogue = _stepped(dialogue, wish)
    return _replying(dialogue, page, _answer(number)), None


def _turned(dialogue: Dialogue, wish: StepTo) -> Dialogue:
    recording = dialogue.recording
    if recording is None:
        raise WishError(Objection.NOT_HERE, "no record is looked at")
    if wish.seat is not None and wish.seat not in recording.names:
        raise WishError(Objection.FIELD, "nobody has this seat")
    seat = None if wish.seat is None else Seat(wish.seat)
    return with_recording(dialogue, recording, wish.height, seat)


def _following(dialogue: Dialogue, page: int, wish: FollowWish) -> Dialogue:
    visit = replace(dialogue.visits[page], is_following=True, told=0)
    is_same = isinstance(dialogue.shown, Snapshot) and dialogue.shown.mark == wish.mark
    chat = None if wish.chat is None else (Seat(wish.chat[0]), wish.chat[1])
    visit = at_line(visit, wish.log, chat) if is_same else at_line(visit, None, None)
    return _visiting(dialogue, page, visit)


def _require_table(dialogue: Dialogue) -> tuple[Snapshot, Decision]:
    if not isinstance(dialogue.shown, Snapshot) or dialogue.decision is None:
        raise WishError(Objection.NOT_HERE, "no table is shown")
    return dialogue.shown, dialogue.decision


def _require_height(snapshot: Snapshot, height: int | None) -> None:
    if height != snapshot.height:
        raise WishError(Objection.LATE, "the table has gone on")


def _require_offer(dialogue: Dialogue, wish: HomeWish) -> None:
    """Refuse a yes to an offer that is not the one shown."""
    if isinstance(wish, AcceptOffer | StartTable):
        if not isinstance(dialogue.shown, LobbyShown):
            raise WishError(Objection.NOT_HERE, "no lobby is shown")
        if dialogue.shown.offer != wish.offer:
            raise WishError(Objection.LATE, "what is offered has changed")


def _stepped(dialogue: Dialogue, wish: ChoiceWish) -> Dialogue:
    snapshot, decision = _require_table(dialogue)
    _require_height(snapshot, wish.height)
    return _showing(replace(dialogue, decision=_STEPS[wish.step](decision, wish.about)))


def _number(about: int | str | None) -> int:
    assert isinstance(about, int), "whoever reads wishes has seen to it"
    return about


_STEPS: Final[Mapping[str, Callable[[Decision, int | str | None], Decision]]] = MappingProxyType(
    {
        "pick": lambda decision, about: with_card(decision, SlotId(_number(about))),
        "put-back": lambda decision, about: without_card(decision, SlotId(_number(about))),
        "choose": lambda decision, about: with_kind(decision, str(about)),
        "answer": lambda decision, about: with_answer(decision, _number(about)),
        "back": lambda decision, _: undone(decision),
        "clear": lambda decision, _: cleared(decision),
    }
)


def _played(dialogue: Dialogue, wish: PlayWish) -> tuple[Dialogue, Action]:
    snapshot, decision = _require_table(dialogue)
    _require_height(snapshot, wish.height)
    action = played(decision)
    if number_of(action, decision) != wish.action:
        raise WishError(Objection.LATE, "something else has been chosen since")
    return _showing(replace(dialogue, decision=cleared(decision))), action


def _about_table(
    dialogue: Dialogue, page: int, number: int, wish: TableWish
) -> tuple[Dialogue, Request | None]:
    rules = _rules(dialogue)
    if wish.name == "rules":
        return _replying(dialogue, page, _answer(number), written_page("rules", rules)), None
    if wish.name == "say" and isinstance(dialogue.shown, LobbyShown):
        return dialogue, Request(page, number, Say(wish.text))
    snapshot, _ = _require_table(dialogue)
    if dialogue.recording is not None:
        raise WishError(Objection.NOT_HERE, "this is a record")
    if wish.name == "links":
        links = written("links", {"lines": list(net_lines(snapshot))})
        return _replying(dialogue, page, _answer(number), links), None
    return dialogue, Request(page, number, _asked_of_driver(snapshot, wish))


def _asked_of_driver(snapshot: Snapshot, wish: TableWish) -> Say | Command:
    match wish.name:
        case "say":
            return Say(wish.text)
        case "mute" | "unmute":
            if wish.seat >= len(snapshot.seats) or snapshot.seats[wish.seat].is_you:
                raise WishError(Objection.FIELD, "somebody else is muted")
            return Command(wish.name, Seat(wish.seat))
        case "again":
            _require_height(snapshot, wish.height)
            if snapshot.may_wish_again:
                return Say(again_wished(snapshot.games))
            if not snapshot.may_ask_again:
                raise WishError(Objection.NOT_HERE, "the game is not over, or it is not for you")
        case "put-away" if not snapshot.may_put_away:
            raise WishError(Objection.NOT_HERE, "the table can go on")
        case _:
            pass  # to leave can be wished at any time
    return Command(wish.name)


def _rules(dialogue: Dialogue) -> str:
    if isinstance(dialogue.shown, HomeShown):
        raise WishError(Objection.NOT_HERE, "no game is shown")
    return dialogue.shown.rules


def _why_not(dialogue: Dialogue, error: StepError) -> str:
    snapshot, decision = _require_table(dialogue)
    return why_not(error, decision, Speaker(snapshot))


def _refused(dialogue: Dialogue, page: int, number: int | None, slug: str, says: str) -> Dialogue:
    return _replying(dialogue, page, _answer(number, slug, says))


def _answer(number: int | None, refused: str | None = None, says: str = "") -> str:
    fields: dict[str, int | str | None] = {"to": number}
    if refused is not None:
        fields["refused"] = refused
    if says:
        fields["says"] = says
    return written("answer", fields)
