"""The fields of the text `table`: a snapshot and the choice of its player, in ready sentences.

The present tick is put in when the text is sent (`at_tick`): that time passes is no news by itself.

Everything comes out of the snapshot, in the words in which a terminal shows it. So what a page may
not be sent has the same one place to be kept out of as what a terminal may not show.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from nodealer.dialogue.texts import TEXT_BYTES_MAX, Fields, length_of, written
from nodealer.games import Action, JsonValue, SeenCard, SeenZone, Turn
from nodealer.kernel import SlotId
from nodealer.show import (
    Asked,
    Decision,
    Question,
    SeatShown,
    Sitting,
    Snapshot,
    Speaker,
    StepProgress,
    awaited,
    card_name,
    reach_words,
)

CARDS_MAX: Final = 300
"""All decks of our games are smaller; more cards would have no room on a page."""

TICK_BYTES: Final = 32
"""Room for the tick at which a table is said."""

ROOM: Final = (CARDS_MAX, 100, 30, 0)
"""So many cards are shown, and options listed: fewer where words are too long for more."""

_SITTINGS: Final = {
    Sitting.THERE: "there",
    Sitting.LEFT: "left",
    Sitting.LEFT_OUT: "left out",
    Sitting.PROVEN: "proven",
}


def table_text(snapshot: Snapshot, decision: Decision, more: Fields | None = None) -> str:
    """Return the text that shows a table; `more` is what belongs to it beside."""
    texts = (
        written("table", {**_fields(snapshot, decision, room), **(more or {})}) for room in ROOM
    )
    return next(text for text in texts if length_of(text) <= TEXT_BYTES_MAX - TICK_BYTES)


def at_tick(text: str, now: int) -> str:
    """Return the text of a table with the tick at which it is said."""
    return f'{text[:-1]},"now":{now}}}'


def _fields(snapshot: Snapshot, decision: Decision, room: int) -> Fields:
    speaker, asked = Speaker(snapshot), snapshot.asked
    return {
        "title": snapshot.title,
        "mark": snapshot.mark,
        "game": snapshot.game,
        "games": snapshot.games,
        "height": snapshot.height,
        "state": snapshot.state.value,
        "headline": speaker.headline(),
        "is_asked": bool(snapshot.legal),
        "patience": None if asked is None else _patience(snapshot, asked),
        "waits": list(speaker.waits()),
        "standing": list(speaker.standing()),
        "status": list(snapshot.status),
        "progress": _progress(snapshot.progress),
        "may_put_away": snapshot.may_put_away,
        "may_again": snapshot.may_ask_again,
        "may_wish_again": snapshot.may_wish_again,
        "wishes_again": speaker.wishes_again(),
        "notices": [{"kind": one.kind, "says": list(one.says)} for one in snapshot.notices],
        "seats": [_seat(snapshot, one) for one in snapshot.seats],
        "zones": list(_zones(speaker, decision, room)),
        "choice": _choice(speaker, decision, room),
    }


def _patience(snapshot: Snapshot, asked: Asked) -> Fields | None:
    if asked.passes_at is None and not snapshot.is_hurried:
        return None
    passes = {} if asked.passes_at is None else {"passes_at": asked.passes_at}
    return {"suspended": asked.suspended, "until": asked.until, **passes}


def _progress(progress: StepProgress | None) -> Fields | None:
    if progress is None:
        return None
    shares = [[seat, share.value] for seat, share in progress.shares]
    return {"says": progress.doing, "why": progress.why, "shares": shares}


def _seat(snapshot: Snapshot, seat: SeatShown) -> Fields:
    duty = snapshot.view.duty
    missed = [awaited(one, snapshot) for one in snapshot.waiting if one.seat == seat.seat]
    return {
        "seat": seat.seat,
        "name": seat.name,
        "mark": seat.mark,
        "cards": seat.cards,
        "sitting": _SITTINGS[seat.sitting],
        "is_you": seat.is_you,
        "is_bot": seat.is_bot,
        "is_program": seat.is_program,
        "is_muted": seat.is_muted,
        "has_turn": isinstance(duty, Turn) and duty.seat == seat.seat,
        "awaited": missed[0] if missed else None,
        "reach": {
            "way": seat.reach.way.value,
            "round_trip_us": seat.reach.round_trip_us,
            "says": list(reach_words(seat.reach, snapshot.now)),
        },
    }


# Cards.


def _zones(speaker: Speaker, decision: Decision, room: int) -> Iterator[Fields]:
    you, zones = speaker.snapshot.view.viewer, speaker.snapshot.view.zones
    able, picked = decision.pickable, frozenset(decision.choice.picked)
    shown = _shown(zones, able | picked, room)
    for zone in zones:
        cards = [_card(speaker, one, able, picked) for one in zone.cards if one.slot in shown]
        yield {
            "name": zone.name,
            "seat": zone.seat,
            "is_own": zone.seat is not None and zone.seat == you,
            "says": speaker.zone(zone.name, zone.seat),
            "count": len(zone.cards),
            "cards": cards,
        }


def _shown(zones: Sequence[SeenZone], named: frozenset[SlotId], room: int) -> frozenset[SlotId]:
    """Return the cards for which there is room: those first that can be picked, the top ones."""
    cards = [card.slot for zone in zones for card in reversed(zone.cards)]
    cards.sort(key=lambda slot: slot not in named)
    return frozenset(cards[:room])


def _card(
    speaker: Speaker, card: SeenCard, able: frozenset[SlotId], picked: frozenset[SlotId]
) -> Fields:
    fields: dict[str, JsonValue] = {"card": card.slot}
    if card.face is not None:
        says, name = speaker.bare(card.face), card_name(card.face)
        fields |= {"face": card.face, "says": says} | ({} if name == says else {"name": name})
        if remark := speaker.snapshot.remarks.get(card.face):
            fields["remark"] = remark
        if look := speaker.snapshot.looks.get(card.face):
            fields["look"] = look
    if card.slot in picked:
        fields["picked"] = True
    elif card.slot in able:
        fields["can"] = True
    return fields


# The choice.


def _choice(speaker: Speaker, decision: Decision, room: int) -> Fields:
    open_kinds = {action.kind for action, _ in decision.menu.named}
    kinds = [one for one in speaker.snapshot.kinds if one.kind in open_kinds]
    question, action = decision.question, decision.action
    return {
        "kinds": [{"kind": one.kind, "says": one.text} for one in kinds],
        "kind": decision.choice.kind,
        "picked": list(decision.choice.picked),
        "asked": None if question is None else _asked(speaker, question, room),
        "play": None if action is None else _play(speaker, decision, action),
    }


def _asked(speaker: Speaker, question: Question, room: int) -> Fields:
    options = [speaker.option(question, option) for option in question.options[:room]]
    return {"about": question.about, "says": speaker.question(question), "options": options}


def _play(speaker: Speaker, decision: Decision, action: Action) -> Fields:
    return {"action": number_of(action, decision), "says": speaker.action(action)}


def number_of(action: Action, decision: Decision) -> int:
    """Return the number of an action among the legal ones."""
    named = enumerate(decision.menu.named)
    return next(number for number, (one, _) in named if one is action)
