"""The checks of one position: what must be so whenever somebody has the turn.

Each function takes the trial, for the error, and the dealer whose game stands at the position. It
works on forks of the dealer, so the game goes on afterwards as if nothing had been.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from nodealer.games.api import (
    PHRASE_LETTERS_MAX,
    REMARK_LETTERS_MAX,
    STATUS_PHRASES_MAX,
    Action,
    Choice,
    Event,
    Named,
    Notebook,
    Over,
    Standing,
    Turn,
    View,
    action,
)
from nodealer.games.base import AnyGame
from nodealer.games.conformance.damage import damaged
from nodealer.games.conformance.failure import Trial, shown
from nodealer.games.dealer import PlainDealer
from nodealer.games.encoding import encode_named, encode_state, is_plain
from nodealer.kernel import Chance, PeerError, Reason, Seat, SlotId, encode

Dealer = PlainDealer[Any]

STRANGE_NAMES: Final = ("{0}", "%s", "Ω ß", "O'Neil", "<b>", "seat", "a,b", "\\n", "名前", "{}")
"""Names on which careless formatting fails."""

STRANGE_WORDS: Final = ("", "-1", "²", "9" * 5000, "no such word", "{0}")
"""Words that are no card, zone or value of any game."""


def digest_of(dealer: Dealer, since: int = 0) -> bytes:
    """Return what the game remembers and shows, as bytes; the events from this one on."""
    board = dealer.board
    zones = {(zone.name, zone.seat): slots for zone, slots in board.layout.zones.items()}
    return encode(
        (
            encode_state(dealer.state),
            encode_state(zones),
            encode_state(board.faces),
            tuple(encode_named(happened) for happened in dealer.events[since:]),
        )
    )


def check_duty(trial: Trial, dealer: Dealer) -> Turn | Choice | None:
    """Exactly one thing is due: a turn, a choice of several seats, or nothing after the end."""
    standing = dealer.result()
    if dealer.choice is not None:
        trial.require(standing is None, "a game with a result is over")
        _check_choice(trial, dealer, dealer.choice)
        return dealer.choice
    duty = dealer.game.duty(dealer.state)
    if isinstance(duty, Over):
        trial.require(standing is not None, "a game that is over has a result")
        return None
    trial.require(standing is None, "a game with a result is over")
    trial.require(duty.seat in dealer.seats, "whoever has the turn is in the game", duty)
    known = {kind.kind for kind in dealer.game.actions}
    trial.require(duty.kinds and known.issuperset(duty.kinds), "a turn has kinds of action", duty)
    return duty


def check_legal(
    trial: Trial, dealer: Dealer, due: Turn | Choice
) -> Mapping[Seat, tuple[Action, ...]]:
    """Whoever has to act has something to do, of a kind that is due; the others have nothing."""
    acting = (due.seat,) if isinstance(due, Turn) else due.owing
    kinds = (due.kind,) if isinstance(due, Choice) and not due.kinds else due.kinds
    with trial.expecting("what is legal follows from the view"):
        legal = {seat: dealer.legal(seat) for seat in acting}
        others = [dealer.legal(seat) for seat in dealer.seats if seat not in acting]
        nobody = dealer.game.legal(dealer.view())
    trial.require(not any(others) and not nobody, "who has not the turn can do nothing", others)
    for listed in legal.values():
        trial.require(listed, "whoever has the turn can do something")
        trial.require(len(set(listed)) == len(listed), "a legal action is named once", listed)
        for chosen in listed:
            trial.require(chosen.kind in kinds, "what is legal is due", shown(chosen))
            check_plain(trial, chosen)
    if isinstance(due, Choice) and due.kinds:
        for listed in legal.values():
            trial.require(action(due.kind) in listed, "the default can be said", listed)
    elif isinstance(due, Choice):
        _check_choosable(trial, dealer, due, legal)
    return legal


def check_accepted(trial: Trial, dealer: Dealer, seat: Seat, some: Sequence[Action]) -> None:
    """What is legal is accepted, and comes to the same every time."""
    for chosen in some:
        digests = set()
        for _ in range(2):
            twin = dealer.fork(Chance("twin"))
            with trial.expecting("a legal action is accepted", shown(chosen)):
                twin.begin(seat, chosen)
            digests.add(digest_of(twin, len(dealer.events)))
        trial.require(len(digests) == 1, "the same action comes to the same", shown(chosen))


def check_refused(
    trial: Trial, dealer: Dealer, seat: Seat, legal: Sequence[Action], some: Sequence[Action]
) -> int:
    """What is not legal is refused and changes nothing; return how many were tried."""
    before = encode(encode_state(dealer.state))
    known = {repr(chosen) for chosen in legal}  # by text, because True == 1 and 1.0 == 1
    attempts = [
        (seat, wrong)
        for chosen in some
        for wrong in damaged(dealer.game, dealer.board, chosen)
        if repr(wrong) not in known
    ]
    attempts += [
        (other, chosen)
        for other in dealer.seats
        if other != seat
        for chosen in some
        if chosen not in dealer.legal(other)  # of those who are asked many may say the same
    ]
    for author, wrong in attempts:
        twin = dealer.fork(Chance("twin"))
        try:
            with trial.expecting("a bad action is refused as such", shown(wrong)):
                _refuse(twin, author, wrong)
        except _AcceptedError:
            raise trial.failure("a bad action is refused", shown(wrong)) from None
        is_waiting = twin.underway == dealer.underway and twin.choice == dealer.choice
        is_same = twin.pack is dealer.pack and twin.state is dealer.state and is_waiting
        trial.require(is_same, "a refused action changes nothing", shown(wrong))
    after = encode(encode_state(dealer.state))
    trial.require(before == after, "refused actions change nothing in the state")
    return len(attempts)


def check_secret(trial: Trial, dealer: Dealer, viewer: Seat | None, chance: Chance) -> None:
    """A view does not depend on what the viewer may not know."""
    twin = dealer.fork(Chance("twin"))
    known = twin.pack.notebooks[viewer] if viewer is not None else {}
    hidden = [
        slot for slot in twin.pack.faces if slot not in twin.board.faces and slot not in known
    ]
    faces = [twin.pack.faces[slot] for slot in hidden]
    chance.shuffle(faces)
    true = MappingProxyType({**twin.pack.faces, **dict(zip(hidden, faces, strict=True))})
    notebooks = {seat: _corrected(noted, true) for seat, noted in twin.pack.notebooks.items()}
    twin.pack = replace(twin.pack, faces=true, notebooks=MappingProxyType(notebooks))
    twin.pack.check()
    with trial.expecting("a view can be made", f"for {viewer}"):
        here, there = dealer.view(viewer), twin.view(viewer)
    trial.require(here == there, "a view shows nothing that is hidden", f"from {viewer}")
    if viewer is None:
        same = dealer.game.legal(here) == twin.game.legal(there)
    else:
        same = dealer.legal(viewer) == twin.legal(viewer)
    trial.require(same, "what is legal depends on nothing that is hidden", f"from {viewer}")
    check_plain_view(trial, here)
    told = _told_of(trial, dealer.game, here)
    is_same = told == _told_of(trial, dealer.game, there)
    trial.require(is_same, "what is told of a view follows from it", f"to {viewer}")


def check_told(trial: Trial, dealer: Dealer) -> None:
    """It can be told how the game stands, at any time and to everybody."""
    for viewer in (None, *dealer.seats):
        _told_of(trial, dealer.game, dealer.view(viewer))


def check_events(trial: Trial, dealer: Dealer, events: Sequence[Event]) -> None:
    """Every event is plain, and there is a sentence for it that names its seats."""
    names = _namings(trial)
    for happened in events:
        check_plain(trial, happened)
        for named in names:
            _check_sentence(trial, dealer.game, happened, named)


def check_standing(
    trial: Trial, standing: Standing, seats: Sequence[Seat], gone: Sequence[Seat]
) -> None:
    """Every seat has one place, and those who have left come behind all others."""
    places = [seat for place in standing.places for seat in place]
    trial.require(sorted(places) == sorted(seats), "every seat has one place", standing)
    trial.require(all(standing.places), "there is no empty place", standing)
    trial.require(set(standing.points) <= set(seats), "points are those of seats", standing)
    ranks = {seat: rank for rank, place in enumerate(standing.places) for seat in place}
    stayed = [ranks[seat] for seat in seats if seat not in gone]
    left = [ranks[seat] for seat in gone]
    trial.require(not left or max(stayed) < min(left), "those who have left are the last", standing)


def check_plain(trial: Trial, named: Named) -> None:
    """An action or event is made of plain values, in the order of their names."""
    names = [name for name, _ in named.fields]
    trial.require(names == sorted(set(names)), "fields are in the order of their names", named)
    trial.require(
        all(is_plain(value) for _, value in named.fields), "actions and events are plain", named
    )
    with trial.expecting("actions and events can be encoded", repr(named)):
        encode(encode_named(named))
        json.dumps(encode_named(named))


def check_plain_view(trial: Trial, view: View) -> None:
    """A view is made of plain values."""
    for name, value in view.facts.items():
        trial.require(is_plain(value), "facts are plain", f"{name}={value!r}")
    with trial.expecting("facts can be encoded", repr(view.facts)):
        encode(dict(view.facts))
        json.dumps(dict(view.facts))


def _check_choice(trial: Trial, dealer: Dealer, choice: Choice) -> None:
    """A kind of action by which cards are chosen names one card and opens none."""
    if choice.kinds:
        return  # the dealer looks at what is asked for
    forms = [
        (len(kind.fields), kind.opens) for kind in dealer.game.actions if kind.kind == choice.kind
    ]
    trial.require(forms == [(1, ())], "a choice names one card and opens none", choice)


def _check_choosable(
    trial: Trial, dealer: Dealer, choice: Choice, legal: Mapping[Seat, tuple[Action, ...]]
) -> None:
    """Every card of the zone can be chosen, since nobody could see of a card that it may not be."""
    (name,) = next(kind.fields for kind in dealer.game.actions if kind.kind == choice.kind)
    for seat, listed in legal.items():
        named = sorted(chosen.slots(name) for chosen in listed)
        zone = sorted((slot,) for slot in dealer.choosable(seat))
        trial.require(named == zone, "every card of the zone can be chosen", listed)


def _told_of(trial: Trial, game: AnyGame, view: View) -> tuple[object, ...]:
    """Return what a game tells of a view: how it stands, and what it remarks of every word."""
    told: list[object] = []
    for names in _namings(trial):
        with trial.expecting("it can be told how a game stands", f"to {view.viewer}"):
            status = game.status(view, MappingProxyType(names))
        is_short = type(status) is tuple and len(status) <= STATUS_PHRASES_MAX
        fits = is_short and all(_is_line(phrase, PHRASE_LETTERS_MAX) for phrase in status)
        trial.require(fits, "how a game stands is told in a few phrases", repr(status))
        told.append(status)
    faces = {card.face for zone in view.zones for card in zone.cards if card.face is not None}
    for word in (*sorted(faces), *(zone.name for zone in view.zones), *STRANGE_WORDS):
        with trial.expecting("there is a remark for every word, or none", repr(word[:20])):
            remark = game.remark(view, word)
        fits = remark == "" or _is_line(remark, REMARK_LETTERS_MAX)
        trial.require(fits, "a remark is a few letters", f"{word[:20]!r}: {remark!r}")
        told.append(remark)
    return tuple(told)


def _namings(trial: Trial) -> Sequence[Mapping[Seat, str]]:
    """Return names for all seats: usual ones, strange ones, and the longest."""
    return (
        {seat: f"Player{seat}" for seat in trial.numbers},
        {seat: STRANGE_NAMES[seat % len(STRANGE_NAMES)] for seat in trial.numbers},
        {seat: f"{seat:0>24}" for seat in trial.numbers},
    )


def _is_line(text: object, letters_max: int) -> bool:
    """Say whether something is one line of text, and no longer than so many letters."""
    is_text = type(text) is str and text.isprintable() and text.strip() == text
    return is_text and 0 < len(str(text)) <= letters_max


class _AcceptedError(BaseException):
    """A bad action was accepted; no other error, so that nothing takes it for a refusal."""


def _refuse(twin: Dealer, seat: Seat, wrong: Action) -> None:
    try:
        twin.begin(seat, wrong)
    except PeerError as refused:
        # Any other refusal would not say that the rules were broken, and by whom.
        if refused.reason is not Reason.RULES_ILLEGAL:
            raise
        return
    raise _AcceptedError


def _corrected(noted: Notebook, true: Mapping[SlotId, str]) -> Notebook:
    return MappingProxyType({slot: true[slot] for slot in noted})


def _check_sentence(
    trial: Trial, game: AnyGame, happened: Event, names: Mapping[Seat, str]
) -> None:
    with trial.expecting("there is a sentence for every event", repr(happened)):
        text = game.sentence(happened, MappingProxyType(names))
    is_line = type(text) is str and bool(text) and text.strip() == text and "\n" not in text
    trial.require(is_line, "a sentence is one line of text", f"{happened}: {text!r}")
    seats = happened.get("seats")
    named = [happened.get("seat"), *(seats if isinstance(seats, tuple) else ())]
    for seat in named:
        if isinstance(seat, int):
            trial.require(
                names[Seat(seat)] in text, "a sentence names the seats", f"{happened}: {text!r}"
            )
