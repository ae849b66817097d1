"""What each step of a conversation asks of the deck.

A step of several parts reads, checks and then takes in all of them, in ascending order of seats.
Every function returns the state after the step and what the step gives beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, TypeAlias

from nodealer import deck as ops
from nodealer.cards import Composition
from nodealer.crypto import SECP256K1, Point
from nodealer.deck import CommitPart, Deck, Keyring
from nodealer.kernel import EpochId, Seat, SlotId, TableId
from nodealer.wire import peek_kind
from tests.vectors.runner.messages import read
from tests.vectors.runner.reading import Json, moment, seats, zone


@dataclass(frozen=True)
class State:
    """A table between two steps: what everybody knows, and the keyrings for what seats see."""

    table: TableId
    terms: bytes
    rings: Mapping[Seat, Keyring]
    sealing: Mapping[Seat, Point]
    deck: Deck | None
    commits: Mapping[bytes, Mapping[Seat, CommitPart]]
    values: Mapping[bytes, Mapping[Seat, bytes]]

    @property
    def present(self) -> Deck:
        """The deck, which there is after the first `begin`."""
        assert self.deck is not None, "an epoch has begun"
        return self.deck


Done: TypeAlias = tuple[State, Json | None]


def _parts(step: Json, kind: str) -> dict[Seat, Any]:
    sent = {Seat(int(seat)): bytes.fromhex(text) for seat, text in step["parts"].items()}
    return {seat: read(kind, sent[seat]) for seat in sorted(sent)}


def _own(step: Json, kind: str) -> tuple[Seat, Any]:
    """Return the one seat that acts, and its part."""
    (seat,) = _parts(step, kind)
    assert seat == step["seat"], "who acts is who sends"
    return seat, _parts(step, kind)[seat]


def _sealing_keys(state: State, step: Json) -> Done:
    parts = _parts(step, "deck/key")
    keys = {
        seat: ops.check_sealing_key(
            SECP256K1, state.terms, seat, bytes.fromhex(step["identities"][str(seat)]), part
        )
        for seat, part in parts.items()
    }
    ops.distinct_keys(keys)
    given = {str(seat): key.encode().hex() for seat, key in keys.items()}
    return replace(state, sealing=keys), {"sealing_keys": given}


def _begin(state: State, step: Json) -> Done:
    deck = ops.new_deck(
        SECP256K1,
        state.table,
        state.terms,
        EpochId(bytes.fromhex(step["epoch"])),
        state.sealing,
        Composition(tuple(step["composition"])),
        roster=seats(step["roster"]),
        first_slot=SlotId(step["first_slot"]),
    )
    return replace(state, deck=deck), None


def _deck_keys(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    vetted = [
        ops.check_deck_key(deck, at, seat, part) for seat, part in _parts(step, "deck/key").items()
    ]
    return replace(state, deck=ops.take_deck_keys(deck, vetted, zone(step["zone"]))), None


def _shuffle(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    ((seat, part),) = _parts(step, "deck/shuffle").items()
    return replace(
        state, deck=ops.take_shuffle(deck, ops.check_shuffle(deck, at, seat, part))
    ), None


def _mask(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    vetted = [
        ops.check_mask(deck, at, seat, part) for seat, part in _parts(step, "deck/mask").items()
    ]
    return replace(state, deck=ops.take_masks(deck, vetted)), None


def _move(state: State, step: Json) -> Done:
    deck, source, target = state.present, zone(step["from"]), zone(step["to"])
    return replace(
        state, deck=deck.with_layout(deck.layout.moved(step["slots"], source, target))
    ), None


def _announce(state: State, step: Json) -> Done:
    wishes = [(SlotId(slot), seats(added)) for slot, added in step["wishes"]]
    staying = [SlotId(slot) for slot in step.get("stays_closed", [])]
    return replace(state, deck=ops.announce(state.present, wishes, staying)), None


def _release(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    vetted = [
        ops.check_releases(deck, at, seat, part)
        for seat, part in _parts(step, "deck/release").items()
    ]
    return replace(state, deck=ops.take_releases(deck, vetted)), None


def _reveal(state: State, step: Json) -> Done:
    deck, at, seat = state.present, moment(step["moment"]), Seat(step["seat"])
    data = bytes.fromhex(step["parts"][str(seat)])
    kind = peek_kind(data, ("deck/open-key", "deck/open-share", "deck/viewed-face"))
    part: Any = read(kind, data)
    vetted = ops.check_reveal(deck, at, seat, SlotId(step["slot"]), part)
    return replace(state, deck=ops.take_reveal(deck, vetted)), None


def _restack(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    seat, part = _own(step, "deck/restack")
    vetted = ops.check_restack(deck, at, seat, zone(step["zone"]), part)
    return replace(state, deck=ops.take_restacks(deck, [vetted])), None


def _restacks(state: State, step: Json) -> Done:
    deck, at, vetted, behind = state.present, moment(step["moment"]), [], 0
    for seat, part in _parts(step, "deck/restack").items():
        where = zone(step["zones"][str(seat)])
        vetted.append(ops.check_restack(deck, at, seat, where, part, behind=behind))
        behind += len(deck.layout.at(where))
    return replace(state, deck=ops.take_restacks(deck, vetted)), None


def _give(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    vetted = []
    for seat, part in _parts(step, "deck/handover").items():
        gifts = [
            ops.Gift(tuple(map(SlotId, gift["slots"])), zone(gift["to"]))
            for gift in step["gifts"][str(seat)]
        ]
        vetted.append(ops.check_gifts(deck, at, seat, gifts, part))
    return replace(state, deck=ops.take_transfers(deck, vetted)), None


def _transfer(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    vetted = []
    for seat, part in _parts(step, "deck/handover").items():
        move = step["moves"][str(seat)]
        to = Seat(move["to"])
        vetted.append(ops.check_transfer(deck, at, seat, move["slots"], to, part))
    return replace(state, deck=ops.take_transfers(deck, vetted)), None


def _return(state: State, step: Json) -> Done:
    deck, at, slots = state.present, moment(step["moment"]), step["slots"]
    vetted = [
        ops.check_return(deck, at, seat, slots, part)
        for seat, part in _parts(step, "deck/handover").items()
    ]
    return replace(state, deck=ops.gather(deck, slots, zone(step["zone"]), vetted)), None


def _face(state: State, step: Json) -> Done:
    deck, at = state.present, moment(step["moment"])
    seat, part = _own(step, "deck/face")
    vetted = ops.check_face(deck, at, seat, SlotId(step["slot"]), step["face"], part)
    return replace(state, deck=ops.take_face(deck, vetted)), None


def _member(state: State, step: Json) -> Done:
    seat, part = _own(step, "deck/member")
    at, slot = moment(step["moment"]), SlotId(step["slot"])
    ops.check_member(state.present, at, seat, slot, step["faces"], part)
    return state, None


def _absent(state: State, step: Json) -> Done:
    seat, part = _own(step, "deck/absent")
    at, where = moment(step["moment"]), zone(step["zone"])
    ops.check_absent(state.present, at, seat, where, step["face"], part)
    return state, None


def _verdict(
    kind: str,
    check: Callable[[Deck, ops.ProofMoment, Seat, Any, Any], None],
    state: State,
    step: Json,
) -> Done:
    seat, part = _own(step, kind)
    check(state.present, moment(step["moment"]), seat, step["slots"], part)
    return state, None


def _commit(state: State, step: Json) -> Done:
    label = bytes.fromhex(step["label"])
    commits = {**state.commits, label: _parts(step, "deck/commit")}
    return replace(state, commits=commits), None


def _open(state: State, step: Json) -> Done:
    label = bytes.fromhex(step["label"])
    commits = state.commits[label]
    values = {
        seat: ops.check_open(state.table, label, seat, commits[seat], part)
        for seat, part in _parts(step, "deck/open").items()
    }
    given = {str(seat): value.hex() for seat, value in values.items()}
    return replace(state, values={**state.values, label: values}), {"values": given}


def _coin(state: State, step: Json) -> Done:
    label = bytes.fromhex(step["label"])
    result = ops.coin(state.table, label, seats(step["seats"]), state.values[label])
    return state, {"coin": result.hex(), "drawn": ops.draw(result, step["sides"])}


def _leave(state: State, step: Json) -> Done:
    return replace(state, deck=ops.without_seats(state.present, seats(step["seats"]))), None


def _see(state: State, step: Json) -> Done:
    ring = state.rings[Seat(step["seat"])]
    return state, {"face": ops.see(state.present, ring, SlotId(step["slot"]))}


STEPS: Final[Mapping[str, Callable[[State, Json], Done]]] = {
    "sealing-keys": _sealing_keys,
    "begin": _begin,
    "deck-keys": _deck_keys,
    "shuffle": _shuffle,
    "mask": _mask,
    "move": _move,
    "announce": _announce,
    "release": _release,
    "reveal": _reveal,
    "restack": _restack,
    "restacks": _restacks,
    "transfer": _transfer,
    "give": _give,
    "return": _return,
    "face": _face,
    "member": _member,
    "absent": _absent,
    "equal": partial(_verdict, "deck/equal", ops.check_equal),
    "not-equal": partial(_verdict, "deck/not-equal", ops.check_not_equal),
    "commit": _commit,
    "open": _open,
    "coin": _coin,
    "leave": _leave,
    "see": _see,
}
