"""The terms of a table as they are offered, and the charter that offer and answers make.

A plan is what the host wants to play; an offer is a plan with the people of the moment. Every
change of either is another offer with a higher number. An offer in which no seat is free is the
terms of a table: its `lobby` is a hash over the lobby, the host and the number. So every offer has
terms of its own even if all the rest is the same, and an answer fits one offer alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Final

from nodealer.crypto import SECP256K1, Point, SigningKey, VerifyKey
from nodealer.deck import KeyPart, Keyring, check_sealing_key, deck_messages
from nodealer.games import AnyGame, Options, Plain, resolve
from nodealer.kernel import LocalError, PeerError, Reason, Seat, TableId, digest
from nodealer.ledger import Clock
from nodealer.lobby.forms import is_plain_text
from nodealer.lobby.messages import Answer, Attendee, Complete, Offer, SignedAnswer
from nodealer.lobby.signed import (
    UNSIGNED,
    check_answer,
    check_offer,
    sign_answer,
    sign_offer,
    unsigned_answer,
)
from nodealer.table import (
    Agreed,
    Terms,
    accept,
    charter_of,
    check_charter,
    check_terms,
    folded,
    require_names,
)

LOBBY: Final = "nodealer/1/lobby"

BY_LETTERS_TICKS: Final = 60 * 60 * 1000
"""A table at which a turn may take longer than an hour is one by letters."""


@dataclass(frozen=True, slots=True)
class TablePlan:
    """The game that is to be played, and by how many."""

    game: str
    version: int
    options: tuple[tuple[str, Plain], ...]
    clock: Clock
    policy: str
    seats: int


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A charter that was agreed on, and what this node needs to sit down at its table."""

    agreed: Agreed
    seat: Seat | None
    """Its seat; none for a spectator."""
    seed: bytes | None = field(repr=False)
    """All secrets of the seat follow from it; none for a spectator, and none where only the journal
    of the table has it."""

    programs: tuple[Seat, ...] = ()
    """The seats that have said that a program plays for them."""

    @property
    def table(self) -> TableId:
        """The table."""
        return self.agreed.charter.table


def plan_of(rules: AnyGame, seats: int, given: Options, clock: Clock, policy: str) -> TablePlan:
    """Return a plan that can be played by these rules, with all options, or raise `LocalError`."""
    options = tuple(resolve(rules, seats, given, by_letters=is_by_letters(clock)).items())
    if policy not in rules.policies:
        known = ", ".join(rules.policies)
        detail = f"{rules.title} has no policy {policy!r}; there are {known}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    times = (clock.act, clock.answer, clock.rejoin)
    if not 1 <= min(times) <= max(times) <= clock.longest:
        raise LocalError(Reason.LOCAL_ARGUMENT, "a time is zero, or above the longest")
    return TablePlan(rules.id, rules.version, options, clock, policy, seats)


def with_clock(rules: AnyGame, plan: TablePlan, clock: Clock) -> TablePlan:
    """Return a plan with another clock; options that stood at the default of the old one follow."""
    was = {one.name: one.usual(by_letters=is_by_letters(plan.clock)) for one in rules.options}
    given = {
        name: value
        for name, value in plan.options
        if isinstance(value, bool | int | str) and value != was.get(name)
    }
    return plan_of(rules, plan.seats, given, clock, plan.policy)


def is_by_letters(clock: Clock) -> bool:
    """Whether a table with this clock is one at which a turn may take days."""
    return clock.act > BY_LETTERS_TICKS


def plan_in(offer: Offer) -> TablePlan:
    """Return the plan that is offered."""
    what = (offer.game, offer.version, offer.options, offer.clock, offer.policy)
    return TablePlan(*what, len(offer.seats))


def offer_of(
    plan: TablePlan,
    lobby: bytes,
    number: int,
    seats: tuple[Attendee | None, ...],
    signer: SigningKey,
) -> Offer:
    """Return the signed offer of a plan to the people of the moment."""
    what = (plan.game, plan.version, plan.options, plan.clock, plan.policy)
    offer = Offer(lobby, number, *what, seats, UNSIGNED)
    return replace(offer, signature=sign_offer(offer, signer))


def terms_of(offer: Offer, host: bytes) -> Terms | None:
    """Return the terms that an offer comes to, or nothing while a seat is free."""
    people = [one for one in offer.seats if one is not None]
    if len(people) != len(offer.seats):
        return None
    return Terms(
        lobby=digest(LOBBY, offer.lobby, host, offer.number),
        game=offer.game,
        version=offer.version,
        options=offer.options,
        names=tuple(one.name for one in people),
        identities=tuple(one.key for one in people),
        clock=offer.clock,
        policy=offer.policy,
    )


def require_sound(offer: Offer, host: bytes) -> None:
    """Raise unless the host has signed this offer, and what it says can be shown and played.

    Whether it fits the rules of its game is for whoever has them.
    """
    check_offer(offer, host)
    people = [one for one in offer.seats if one is not None]
    _require_people(people)
    if host not in {one.key for one in people}:
        raise _unsound("the host has no seat")
    shown = [offer.game, offer.policy, *_shown(offer.options)]
    if not all(is_plain_text(text) for text in shown):
        raise _unsound("a word cannot be shown")
    terms = terms_of(offer, host)
    if terms is not None:
        check_terms(terms)


def answer_of(offer: Offer, host: bytes, seat: Seat, seed: bytes, signer: SigningKey) -> Answer:
    """Return the answer of a seat that accepts an offer; all its secrets follow from the seed."""
    terms = terms_of(offer, host)
    assert terms is not None, "nobody is asked before all seats are taken"
    sealing = accept(terms, Keyring(SECP256K1, seat, seed))
    who = offer.seats[seat]
    assert who is not None, "no seat is free"
    answer = unsigned_answer(offer, terms.hash, seat, sealing)
    return replace(answer, signature=sign_answer(answer, who, signer))


def check_answers(offer: Offer, host: bytes, answers: Mapping[Seat, SignedAnswer]) -> None:
    """Raise unless the answers are those of the seats, signed, with keys that are not equal."""
    terms = terms_of(offer, host)
    assert terms is not None, "nobody has answered before all seats are taken"
    keys: dict[Seat, Point] = {}
    for seat, signed in answers.items():
        who = offer.seats[seat]
        assert who is not None, "no seat is free"
        whole = unsigned_answer(offer, terms.hash, seat, signed.sealing)
        check_answer(replace(whole, signature=signed.signature), who)
        part = deck_messages(SECP256K1).read(signed.sealing, KeyPart)
        keys[seat] = check_sealing_key(SECP256K1, terms.hash, seat, who.key, part)
    for one, other in combinations(keys, 2):
        if keys[one] == keys[other]:
            raise PeerError(Reason.DECK_SAME_KEY, f"seats {one} and {other}", (one, other))


def founded(offer: Offer, host: bytes, complete: Complete) -> Agreed:
    """Return the charter that an offer and all answers to it make, or raise `PeerError`."""
    terms = terms_of(offer, host)
    if terms is None or len(complete.answers) != len(terms.identities):
        raise PeerError(Reason.LOBBY_ANSWER, f"{len(complete.answers)} answers")
    answers = {Seat(number): signed for number, signed in enumerate(complete.answers)}
    check_answers(offer, host, answers)
    return check_charter(charter_of(terms, [one.sealing for one in complete.answers]))


def seat_of(offer: Offer, key: bytes) -> Seat | None:
    """Return the seat of a key in an offer."""
    for number, one in enumerate(offer.seats):
        if one is not None and one.key == key:
            return Seat(number)
    return None


def programs_in(offer: Offer) -> tuple[Seat, ...]:
    """Return the seats of an offer for which a program plays, as they have said."""
    seats = enumerate(offer.seats)
    return tuple(Seat(number) for number, one in seats if one is not None and one.is_program)


def taken_by(name: str, people: Iterable[Attendee]) -> Attendee | None:
    """Return whose name looks like this one."""
    return next((one for one in people if folded(one.name) == folded(name)), None)


def _require_people(people: Sequence[Attendee]) -> None:
    require_names([one.name for one in people])
    for one in people:
        VerifyKey(one.key)
    if len({one.key for one in people}) != len(people):
        raise _unsound("somebody has two seats")


def _shown(options: Iterable[tuple[str, Plain]]) -> list[str]:
    """Return every text that options would put on a screen."""
    texts = []
    for name, value in options:
        if not isinstance(value, bool | int | str):
            raise _unsound("an option is no single value")
        texts += [name, str(value)]
    return texts


def _unsound(detail: str) -> PeerError:
    return PeerError(Reason.LOBBY_OFFER, detail)
