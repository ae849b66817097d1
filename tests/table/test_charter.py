"""What seats agree on: every field of a charter, read strictly and bound into its proofs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import cbor2
import pytest

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.games.registry import game, resolve
from nodealer.kernel import LocalError, PeerError, Reason, Seat, encode
from nodealer.ledger import Charter, Clock
from nodealer.table import (
    Agreed,
    Player,
    Setting,
    Terms,
    accept,
    charter_of,
    check_charter,
    read_terms,
)
from nodealer.table.charter import FOUNDING, Founding
from nodealer.wire import decode
from tests.games.barter import Barter
from tests.support.circle import CLOCK, hashed, player_of

PLAYERS = [player_of(Seat(seat)) for seat in range(3)]
RULES = game("macaua")


def terms_of(players: list[Player], names: tuple[str, ...] = ("anna", "ben", "cleo")) -> Terms:
    return Terms(
        lobby=hashed("lobby"),
        game=RULES.id,
        version=RULES.version,
        options=tuple(resolve(RULES, len(players), {}).items()),
        names=names[: len(players)],
        identities=tuple(player.signer.verify_key.raw for player in players),
        clock=CLOCK,
        policy="redeal",
    )


TERMS = terms_of(PLAYERS)


def answers_to(terms: Terms, players: list[Player] = PLAYERS) -> list[bytes]:
    return [accept(terms, player.keyring) for player in players]


CHARTER = charter_of(TERMS, answers_to(TERMS))


def reason_of(question: Callable[[], object]) -> Reason:
    with pytest.raises(PeerError) as refused:
        question()
    return refused.value.reason


def founded(**changes: object) -> Charter:
    """Return the charter with other opaque fields, under the same answers."""
    founding = FOUNDING.read(CHARTER.terms)
    return replace(CHARTER, terms=FOUNDING.write(replace(founding, **changes)))  # type: ignore[arg-type]


def accepted(terms: Terms) -> Agreed:
    """Return what all seats have accepted, whatever it says."""
    return check_charter(charter_of(terms, answers_to(terms)))


def test_a_charter_says_what_the_seats_have_accepted() -> None:
    agreed = check_charter(CHARTER)
    assert agreed.terms == TERMS
    assert agreed.charter is CHARTER
    assert list(agreed.sealing_keys) == [0, 1, 2]
    assert read_terms(CHARTER) == (TERMS, tuple(answers_to(TERMS)))
    assert Setting(agreed, RULES).agreed is agreed


CHANGED: Mapping[str, Charter] = {
    "lobby": founded(lobby=hashed("other lobby")),
    "game": founded(game="macaub"),
    "version": founded(version=2),
    "options": founded(options=()),
    "names": founded(names=("anna", "ben", "clea")),
    "clock: act": replace(CHARTER, clock=replace(CLOCK, act=CLOCK.act + 1)),
    "clock: answer": replace(CHARTER, clock=replace(CLOCK, answer=CLOCK.answer + 1)),
    "clock: rejoin": replace(CHARTER, clock=replace(CLOCK, rejoin=CLOCK.rejoin + 1)),
    "clock: longest": replace(CHARTER, clock=replace(CLOCK, longest=CLOCK.longest + 1)),
    "policy": replace(CHARTER, policy="void"),
    "keys": replace(CHARTER, keys=(CHARTER.keys[1], CHARTER.keys[0], CHARTER.keys[2])),
    "a key": replace(CHARTER, keys=(*CHARTER.keys[:2], player_of(Seat(7)).signer.verify_key.raw)),
}
"""Charters that nobody has accepted: each differs from the accepted one in one field."""


@pytest.mark.parametrize("field", CHANGED)
def test_an_answer_is_bound_to_every_field_of_the_terms(field: str) -> None:
    changed = CHANGED[field]
    assert changed.table != CHARTER.table
    assert reason_of(lambda: check_charter(changed)) is Reason.PROOF_KEY


def test_the_hash_of_the_terms_covers_every_field() -> None:
    hashes = {TERMS.hash, *(read_terms(changed)[0].hash for changed in CHANGED.values())}
    assert len(hashes) == 1 + len(CHANGED)


def test_an_answer_to_other_terms_or_of_another_seat_is_refused() -> None:
    other = answers_to(replace(TERMS, lobby=hashed("another lobby")))
    good = answers_to(TERMS)
    for answers in (
        [other[0], *good[1:]],
        [good[1], good[0], good[2]],
        [good[0], good[0], good[2]],
    ):
        assert reason_of(lambda a=answers: check_charter(charter_of(TERMS, a))) is Reason.PROOF_KEY  # type: ignore[misc]


def test_one_seed_in_two_seats_gives_two_sealing_keys() -> None:
    seed = hashed("seed", "same")
    secrets = {Keyring(SECP256K1, Seat(s), seed).sealing_secret(TERMS.hash) for s in range(3)}
    assert len(secrets) == 3


ODD: Mapping[str, tuple[Charter, Reason]] = {
    "a name more": (founded(names=("anna", "ben", "cleo", "dora")), Reason.TABLE_CHARTER),
    "an answer less": (founded(sealing=tuple(answers_to(TERMS)[:2])), Reason.TABLE_CHARTER),
    "a key more": (replace(CHARTER, keys=(*CHARTER.keys, bytes(range(32)))), Reason.TABLE_CHARTER),
    "one key twice": (replace(CHARTER, keys=(CHARTER.keys[0],) * 3), Reason.TABLE_CHARTER),
    "a short key": (replace(CHARTER, keys=(*CHARTER.keys[:2], b"short")), Reason.SIGNATURE_LENGTH),
    "a weak key": (
        replace(CHARTER, keys=(*CHARTER.keys[:2], bytes(32))),
        Reason.SIGNATURE_WEAK_KEY,
    ),
    "no time to act": (replace(CHARTER, clock=replace(CLOCK, act=0)), Reason.TABLE_CHARTER),
    "no time to answer": (replace(CHARTER, clock=replace(CLOCK, answer=0)), Reason.TABLE_CHARTER),
    "no time to return": (replace(CHARTER, clock=replace(CLOCK, rejoin=0)), Reason.TABLE_CHARTER),
    "a longest time that is shorter": (
        replace(CHARTER, clock=replace(CLOCK, longest=CLOCK.act - 1)),
        Reason.TABLE_CHARTER,
    ),
    "names alike": (founded(names=("anna", "ben", "Anna")), Reason.TABLE_NAME),
    "no answer": (founded(sealing=(b"", *answers_to(TERMS)[1:])), Reason.ENCODING_TRUNCATED),
    "an answer of another kind": (
        founded(sealing=(encode((1, "deck/open", b"", bytes(32))), *answers_to(TERMS)[1:])),
        Reason.ENCODING_KIND,
    ),
    "no terms": (replace(CHARTER, terms=b""), Reason.ENCODING_TRUNCATED),
    "terms and more": (replace(CHARTER, terms=CHARTER.terms + b"\0"), Reason.ENCODING_TRAILING),
}


@pytest.mark.parametrize("case", ODD)
def test_a_charter_that_contradicts_itself_is_refused(case: str) -> None:
    charter, reason = ODD[case]
    assert reason_of(lambda: check_charter(charter)) is reason


FORMS: list[tuple[int, object]] = [
    (2, hashed("lobby")[:31]),
    (3, "x" * 65),
    (4, -1),
    (4, 1 << 17),
    (5, (("b", 1), ("a", 1))),
    (5, (("a", 1), ("a", 1))),
    (5, (("a", 1, 2),)),
    (5, (("a", 1.5),)),
    (5, (("a", b"bytes"),)),
    (5, (("a", 1 << 63),)),
    (5, (("a", {"b": 1}),)),
    (5, ((1, 1),)),
    (5, tuple((f"{number:03}", 1) for number in range(65))),
    (6, ("anna",)),
    (6, ("anna",) * 11),
    (6, ("anna", "ben", "x" * 97)),
    (6, ("anna", "ben", 3)),
    (7, (b"",)),
    (7, (b"", b"", bytes(257))),
]


@pytest.mark.parametrize(("place", "value"), FORMS)
def test_terms_of_another_form_are_refused(place: int, value: object) -> None:
    whole = decode(CHARTER.terms)
    assert isinstance(whole, tuple)
    changed: list[object] = list(whole)
    changed[place] = value
    odd = replace(CHARTER, terms=cbor2.dumps(changed, canonical=True))
    assert reason_of(lambda: read_terms(odd)).slug.startswith("encoding/")


def with_options(**options: object) -> Terms:
    given = {**dict(TERMS.options), **options}
    return replace(TERMS, options=tuple(sorted(given.items())))  # type: ignore[arg-type]


UNPLAYABLE: Mapping[str, Terms] = {
    "another game": replace(TERMS, game="66"),
    "another version": replace(TERMS, version=TERMS.version + 1),
    "no options": replace(TERMS, options=()),
    "an option less": replace(TERMS, options=TERMS.options[1:]),
    "an option more": with_options(zero=0),
    "an option of another type": with_options(call=1),
    "an option of nothing": with_options(call=None),
    "an option of several values": with_options(first=("coin", "host")),
    "an option out of range": with_options(first="nobody"),
    "another policy": replace(TERMS, policy="continue"),
    "no policy": replace(TERMS, policy=""),
}


@pytest.mark.parametrize("case", UNPLAYABLE)
def test_what_all_accept_must_still_fit_the_rules(case: str) -> None:
    agreed = accepted(UNPLAYABLE[case])
    assert reason_of(lambda: Setting(agreed, RULES)) is Reason.TABLE_RULES


def test_options_have_the_values_that_were_agreed_on() -> None:
    agreed = accepted(with_options(call=True, first="host"))
    assert Setting(agreed, RULES).agreed.terms.chosen == {
        **dict(TERMS.options),
        "call": True,
        "first": "host",
    }


def test_a_game_is_for_as_many_seats_as_it_says() -> None:
    agreed = accepted(TERMS)
    few = replace(RULES, seats=(2, 2))  # type: ignore[type-var]
    assert reason_of(lambda: Setting(agreed, few)) is Reason.TABLE_RULES


def test_no_window_is_longer_than_there_is_time_to_act() -> None:
    barter = Barter()
    options = tuple(resolve(barter, len(TERMS.names), {}).items())
    terms = replace(TERMS, game=barter.id, version=1, options=options, policy="void")
    seconds = TERMS.clock.act // 1000
    assert Setting(accepted(terms), Barter(window=seconds)).game.longest_window({}) == seconds
    longer = Barter(window=seconds + 1)
    assert reason_of(lambda: Setting(accepted(terms), longer)) is Reason.TABLE_RULES


def test_our_own_mistakes_are_local() -> None:
    with pytest.raises(LocalError):
        charter_of(TERMS, answers_to(TERMS)[:2])
    with pytest.raises(LocalError):
        FOUNDING.write(Founding(b"", "", 0, (), (), ()))
    with pytest.raises(LocalError):
        founded(options=(("a", b"bytes"),))


def test_another_seed_is_another_table() -> None:
    again = [player_of(Seat(0), "again"), *PLAYERS[1:]]
    identity = [*TERMS.identities]
    assert identity[0] != again[0].signer.verify_key.raw
    cloned = Player(again[0].keyring, PLAYERS[0].signer)
    other = charter_of(TERMS, answers_to(TERMS, [cloned, *PLAYERS[1:]]))
    assert other.table != CHARTER.table
    assert check_charter(other).terms.hash == TERMS.hash


def test_the_clock_may_be_tight() -> None:
    tight = Clock(act=1, answer=1, rejoin=1, longest=1)
    assert accepted(replace(TERMS, clock=tight)).terms.clock == tight
