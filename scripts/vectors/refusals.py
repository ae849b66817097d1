"""Vectors of what a deck refuses of all seats: keys, shuffles, masks, grants, releases.

Each takes the place of a step of one of the conversations. Parts are forged with the keyrings of
their makers, so that nothing is wrong with them but the one thing that the vector is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from nodealer import deck as ops
from nodealer.crypto import SECP256K1, ProofTranscript, prove, relations
from nodealer.deck import ExchangeProof, KeyPart, OpenKey, ReleasePart, SealShares
from nodealer.kernel import EpochId, Seat, SlotId, digest
from scripts.vectors import refusals_cards
from scripts.vectors.conversations import three_seats, two_seats
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import flipped, hashed
from scripts.vectors.taken import Taken, elsewhere, refused_at

_G: Final = SECP256K1.generator


def vectors() -> Iterator[Vector]:
    """Return the vectors of the topic `deck/refused`."""
    yield from _sealing_keys()
    yield from _deck_keys()
    yield from _moments()
    yield from _stages()
    yield from _stages_of_seats()
    yield from _shuffles()
    yield from _masks()
    yield from _grants()
    yield from _releases()
    yield from _seals()
    yield from _shares()
    yield from refusals_cards.vectors()


def _sealing_keys() -> Iterator[Vector]:
    step = Taken(three_seats(), "sealing-keys")
    copied = step.sent(2, step.part(1))
    yield step.refused("sealing-keys/copied", "the message of another seat", "proof/key", copied)
    other = {**step.step["identities"], "2": hashed("another identity").hex()}
    yield step.refused("sealing-keys/identity", "made for another identity key", "proof/key",
                       step.asked(identities=other))  # fmt: skip
    secret = step.ring(1).sealing_secret(step.table.terms)
    identity = step.table.identity(Seat(2))
    context = digest("nodealer/1/sealing-key", step.table.terms, 2, identity)
    same = _key_part(step, context, secret)
    yield step.refused("sealing-keys/same", "two seats with one key, both proven", "deck/same-key",
                       step.sent(2, same))  # fmt: skip


def _key_part(step: Taken, context: bytes, secret: int) -> KeyPart:
    public = SECP256K1.times_generator(secret)
    statement = relations.key(SECP256K1, public)
    transcript = ProofTranscript(SECP256K1, context)
    return KeyPart(public, prove(SECP256K1, transcript, statement, [secret], step.ring(0).nonces))


def _deck_keys() -> Iterator[Vector]:
    step = Taken(three_seats(), "deck-keys")
    deck, key = step.deck, "proof/key"
    yield step.refused("deck-keys/copied", "the message of another seat", key,
                       step.sent(1, step.part(0)))  # fmt: skip
    another = replace(deck, epoch=EpochId(hashed("another epoch")))
    replayed = ops.make_deck_key(another, step.ring(1), step.at)
    yield step.refused("deck-keys/epoch", "made for another epoch", key, step.sent(1, replayed))
    part = step.part(1)
    altered = replace(part, X=part.X + _G)
    yield step.refused("deck-keys/altered", "another key than the proven one", key,
                       step.sent(1, altered))  # fmt: skip
    yield step.refused("deck-keys/missing", "the key of a seat is missing", "deck/missing",
                       step.sent(2, None))  # fmt: skip
    yield step.refused("deck-keys/stranger", "the key of a seat that is not at the table",
                       "deck/seat", step.sent(3, part))  # fmt: skip
    yield step.refused("deck-keys/kind", "a message of another kind", "encoding/kind",
                       step.sent(1, ops.OpenKey(7)))  # fmt: skip
    data = bytes.fromhex(step.step["parts"]["1"])
    yield step.refused("deck-keys/truncated", "a message without its last byte",
                       "encoding/truncated", step.sent(1, data[:-1]))  # fmt: skip
    yield from _degenerate(step)


def _degenerate(step: Taken) -> Iterator[Vector]:
    """Return keys whose makers know their secrets, and which are bad all the same."""
    deck = step.deck
    secrets = [step.ring(seat).deck_secret(deck.table, deck.epoch) for seat in range(3)]
    negated = _key_part(step, step.context(2, "key"), -(secrets[0] + secrets[1]) % SECP256K1.order)
    yield step.refused("deck-keys/cancelled", "the joint key is O", "deck/degenerate",
                       step.sent(2, negated))  # fmt: skip


def _moments() -> Iterator[Vector]:
    step = Taken(three_seats(), "deck-keys")
    changes: dict[str, object] = {
        "table": flipped(step.at.table).hex(),
        "height": step.at.height + 1,
        "parent": flipped(step.at.parent).hex(),
        "step": b"shuffle".hex(),
    }
    for name, value in changes.items():
        about = f"the parts of another {name}"
        yield step.refused(f"moments/{name}", about, "proof/key", elsewhere(step, {name: value}))
    for mark, reason in (
        ("shuffle 1", "proof/shuffle"),
        ("mask", "proof/mask"),
        ("peek of a second viewer: release", "proof/seal"),
        ("equal", "proof/equal"),
        ("not-equal", "proof/not-equal"),
        ("face", "proof/face"),
        ("member", "proof/member"),
        ("absent", "proof/absent"),
        ("transfer", "proof/transfer"),
        ("reveal by share", "proof/share"),
        ("reveal by a viewer", "proof/view-face"),
        ("restack of a shown card", "proof/convert"),
    ):
        place = Taken(three_seats(), mark)
        wanted = elsewhere(place, {"parent": flipped(place.at.parent).hex()})
        name = mark.split(":")[0].replace(" ", "-")
        yield place.refused(f"moments/{name}", "made after another entry", reason, wanted)
    back = Taken(two_seats(), "return")
    wanted = elsewhere(back, {"parent": flipped(back.at.parent).hex()})
    yield back.refused("moments/return", "made after another entry", "proof/return", wanted)


def _stages() -> Iterator[Vector]:
    table, reason = two_seats(), "deck/stage"
    for mark, instead in (
        ("deck-keys", "shuffle 0"),
        ("shuffle 0", "mask"),
        ("shuffle 0", "deck-keys"),
        ("mask", "shuffle 1"),
        ("mask", "deal"),
        ("deal", "deal: release"),
        ("deal: release", "reveal by key"),
        ("deal: release", "restack"),
        ("deal: release", "open"),
    ):
        wanted = {name: value for name, value in table.steps[table.marks[instead]].items()
                  if name not in {"then", "gives"}}  # fmt: skip
        stage = {"deal: release": "release", "deal": "ready"}.get(mark, mark.split()[0])
        name = f"stages/{instead.split(':')[-1].strip().replace(' ', '-')}-at-{stage}"
        about = f"{instead} where {mark} is due"
        yield refused_at(table, table.marks[mark], name, about, reason, wanted)


def _stages_of_seats() -> Iterator[Vector]:
    """Return what single seats ask while releases are due."""
    release = Taken(three_seats(), "peek of a second viewer: release")
    marks = ("transfer", "equal", "not-equal", "face", "member", "absent")
    for mark in marks:
        wanted = _instead(Taken(three_seats(), mark), release)
        about = f"{mark} while releases are due"
        yield release.refused(f"stages/{mark}-at-release", about, "deck/stage", wanted)
    masking = Taken(three_seats(), "mask")
    wanted = _instead(Taken(three_seats(), "leave"), masking)
    yield masking.refused("stages/leave-at-mask", "leave while masks are due", "deck/stage", wanted)
    opening = Taken(two_seats(), "deal: release")
    wanted = _instead(Taken(two_seats(), "return"), opening) | {"slots": [0]}
    about = "return while releases are due"
    yield opening.refused("stages/return-at-release", about, "deck/stage", wanted)


def _instead(other: Taken, place: Taken) -> Json:
    """Return another step of the table as if it were made at the moment of this one."""
    wanted = {name: value for name, value in other.step.items() if name not in {"then", "gives"}}
    if "moment" in wanted:
        wanted["moment"] = place.step["moment"]
    return wanted


def _shuffles() -> Iterator[Vector]:
    step = Taken(three_seats(), "shuffle 1")
    part = step.part(1)
    moved = {"2": step.step["parts"]["1"]}
    yield step.refused("shuffles/turn", "a seat whose turn it is not", "deck/seat",
                       step.asked(parts=moved))  # fmt: skip
    shorter = replace(part, cards=part.cards[:-1])
    yield step.refused("shuffles/count", "a card less", "deck/count", step.sent(1, shorter))
    first, *rest = part.cards
    altered = replace(part, cards=(first._replace(M=first.M + _G), *rest))
    yield step.refused("shuffles/card", "a card has become another", "proof/shuffle",
                       step.sent(1, altered))  # fmt: skip
    twice = replace(part, cards=(part.cards[1], *rest))
    yield step.refused("shuffles/twice", "a card twice, another not at all", "proof/shuffle",
                       step.sent(1, twice))  # fmt: skip
    former = Taken(three_seats(), "shuffle 0").part(0)
    yield step.refused("shuffles/copied", "the message of the seat before", "proof/shuffle",
                       step.sent(1, former))  # fmt: skip


def _masks() -> Iterator[Vector]:
    step = Taken(three_seats(), "mask")
    part, reason = step.part(1), "proof/mask"
    keys, deltas = part.keys, part.exchange.deltas
    proof = part.exchange.proof
    fewer = replace(part, keys=keys[:-1], exchange=ExchangeProof(deltas[:-1], proof))
    changes = {
        "key": ("another key for a card", reason, replace(part, keys=(keys[0] + _G, *keys[1:]))),
        "keys-exchanged": ("the keys of two cards exchanged", reason,
                           replace(part, keys=(keys[1], keys[0], *keys[2:]))),
        "delta": ("a card has become another", reason, replace(part, exchange=ExchangeProof(
            (deltas[0] + _G, *deltas[1:]), proof))),
        "deltas-moved": ("two cards changed so that the sum is not", reason, replace(
            part, exchange=ExchangeProof((deltas[0] + _G, deltas[1] - _G, *deltas[2:]), proof))),
        "copied": ("the message of another seat", reason, step.part(0)),
        "count": ("a card less", "deck/count", fewer),
    }  # fmt: skip
    for name, (about, why, forged) in changes.items():
        yield step.refused(f"masks/{name}", about, why, step.sent(1, forged))
    yield step.refused("masks/missing", "the mask of a seat is missing", "deck/missing",
                       step.sent(2, None))  # fmt: skip
    yield step.refused("masks/stranger", "the mask of a seat that is not at the table",
                       "deck/seat", step.sent(3, part))  # fmt: skip


def _grants() -> Iterator[Vector]:
    table = two_seats()
    step, retired = Taken(table, "deal"), SlotId(0)
    asked: dict[str, tuple[str, str, list[list[object]]]] = {
        "unknown": ("a number that no slot has", "deck/slot-unknown", [[4, [0]]]),
        "negative": ("a negative number", "deck/slot-unknown", [[-1, [0]]]),
        "twice": ("one slot in two wishes", "deck/slot-twice", [[0, [0]], [0, [1]]]),
        "stranger": ("a viewer who is not at the table", "deck/seat", [[0, [2]]]),
    }
    for name, (about, reason, wishes) in asked.items():
        yield step.refused(f"grants/{name}", about, reason, step.asked(wishes=wishes))
    later = Taken(table, "coin: commit")
    wish: Json = {"do": "announce", "wishes": [[retired, ["all"]]]}
    yield later.refused("grants/retired", "a slot that was restacked", "deck/slot-retired", wish)
    (shown,) = (number for number, slot in later.deck.slots.items() if slot.face and slot.base)
    wish = {"do": "announce", "wishes": [[shown, [0]]]}
    about = "a card that everybody sees"
    yield later.refused("grants/face-known", about, "deck/face-known", wish)
    left = Taken(three_seats(), "reveal after leaving")
    gone = [number for number, slot in left.deck.slots.items()
            if Seat(2) in slot.layers and slot.face is None]  # fmt: skip
    wish = {"do": "announce", "wishes": [[gone[0], ["all"]]]}
    about = "a card of a seat that has left"
    yield left.refused("grants/gone", about, "deck/seat-gone", wish)
    wish = {"do": "announce", "wishes": [[left.step["slot"], [2]]]}
    about = "a viewer who has left"
    yield left.refused("grants/viewer-gone", about, "deck/seat", wish)


def _releases() -> Iterator[Vector]:
    step = Taken(three_seats(), "deal: release")
    part = step.part(0)
    first, *rest = part.items
    off = OpenKey((first.secret + 1) % SECP256K1.order)
    exchanged = (part.items[1], part.items[0], *part.items[2:])
    share = Taken(three_seats(), "reveal by share").part(2)
    seal = Taken(three_seats(), "peek of a second viewer: release").part(0).items[0]
    changes = {
        "wrong-key": ("another scalar", "deck/wrong-key", (off, *rest)),
        "exchanged": ("the scalars of two slots exchanged", "deck/wrong-key", exchanged),
        "zero": ("the scalar zero", "deck/wrong-key", (OpenKey(0), *rest)),
        "few": ("a release is missing", "deck/not-owed", tuple(rest)),
        "many": ("a release too many", "deck/not-owed", (*part.items, first)),
        "share": ("a share for a layer that is opened by its key", "deck/release-form",
                  (share, *rest)),
        "sealed": ("a seal where an opening is due", "deck/release-form", (seal, *rest)),
    }  # fmt: skip
    for name, (about, reason, items) in changes.items():
        yield step.refused(f"releases/{name}", about, reason, step.sent(0, ReleasePart(items)))
    yield step.refused("releases/missing", "the releases of a seat are missing", "deck/missing",
                       step.sent(2, None))  # fmt: skip
    alone = Taken(three_seats(), "peek of a second viewer: release")
    yield alone.refused("releases/not-owing", "a seat that owes nothing", "deck/seat",
                        alone.sent(1, part))  # fmt: skip
    owed = sorted(step.deck.owed)
    seen_by = next(iter(step.deck.slot(owed[0]).audience))
    see = {"do": "see", "seat": int(seen_by), "slot": owed[0]}
    about = "a seat looks before all releases have come"
    yield step.refused("releases/looked-early", about, "deck/owed", see)


def _seals() -> Iterator[Vector]:
    step = Taken(three_seats(), "peek of a second viewer: release")
    (seal,) = step.part(0).items
    (V,) = seal.Vs
    opened = OpenKey(step.secret(0, next(iter(step.deck.owed))))
    forged = replace(seal, Vs=(V + _G,))
    changes = {
        "V": ("a seal of something else", "proof/seal", forged),
        "U": ("another U", "proof/seal", replace(seal, U=seal.U + _G)),
        "many": ("a seal to one viewer more", "deck/count", replace(seal, Vs=(V, V))),
        "opened": ("an opening where a seal is due", "deck/release-form", opened),
        "false": (
            "a false share, proven as if it were the true one",
            "proof/seal",
            _false_seal(step),
        ),
    }
    for name, (about, reason, item) in changes.items():
        yield step.refused(f"seals/{name}", about, reason, step.sent(0, ReleasePart((item,))))


def _false_seal(step: Taken) -> SealShares:
    """Return a seal of a share that would make the viewer see another face."""
    ((number, due),) = step.deck.owed.items()
    slot, rho = step.slot(number), 12345
    (viewer,) = due.viewers
    Y = step.deck.sealing_keys[viewer]
    k = step.secret(0, number)
    U, V = rho * _G, k * slot.E + rho * Y + step.face("cat") - step.face("potato")
    statement = relations.seal(SECP256K1, slot.layer(Seat(0)).key, slot.E, U, [(Y, V)])
    transcript = ProofTranscript(SECP256K1, step.context(0, "seal", number))
    transcript.absorb("viewers", [int(viewer)])
    proof = prove(SECP256K1, transcript, statement, [k, rho], step.ring(0).nonces)
    return SealShares(U, (V,), proof)


def _shares() -> Iterator[Vector]:
    step = Taken(three_seats(), "release by share: release")
    (share,) = step.part(1).items
    secret = OpenKey(step.secret(1, next(iter(step.deck.owed))))
    changes = {
        "S": ("another share", "proof/share", replace(share, S=share.S + _G)),
        "key": ("the scalar of a key that closes other cards too", "deck/release-form", secret),
    }
    for name, (about, reason, item) in changes.items():
        yield step.refused(f"shares/{name}", about, reason, step.sent(1, ReleasePart((item,))))
