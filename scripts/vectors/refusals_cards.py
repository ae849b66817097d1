"""Vectors of what a deck refuses of single seats: reveals, claims, verdicts, moves, decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from nodealer.cards import STOCK, hand
from nodealer.crypto import SECP256K1, Proof, ProofTranscript, prove, relations
from nodealer.deck import (
    CommitPart,
    FacePart,
    HandedCard,
    HandoverPart,
    OpenKey,
    OpenPart,
    ViewedFace,
)
from nodealer.kernel import Seat
from scripts.vectors.conversations import three_seats, two_seats
from scripts.vectors.files import Json, Vector
from scripts.vectors.notation import flipped, some_point
from scripts.vectors.taken import Taken, refused_at

_G: Final = SECP256K1.generator


def vectors() -> Iterator[Vector]:
    """Return the vectors of this module."""
    yield from _reveals()
    yield from _viewers()
    yield from _faces()
    yield from _members()
    yield from _absences()
    yield from _verdicts()
    yield from _memories()
    yield from _restacks()
    yield from _transfers()
    yield from _returns()
    yield from _decisions()
    yield from _others()


def _reveals() -> Iterator[Vector]:
    step = Taken(two_seats(), "reveal by key")
    part, other = step.part(0), step.deck.layout.at(hand(Seat(1)))[0]
    off = OpenKey((part.secret + 1) % SECP256K1.order)
    viewed = ViewedFace("A", Taken(three_seats(), "reveal by a viewer").part(0).proof)
    (public,) = (number for number, slot in step.deck.slots.items() if slot.face is not None)
    about = {
        "wrong-key": ("another scalar", "deck/wrong-key", step.sent(0, off)),
        "viewed": ("a viewer's proof where the layer can be opened", "deck/release-form",
                   step.sent(0, viewed)),
        "not-viewer": ("a card that another seat sees", "deck/not-viewer", step.asked(slot=other)),
        "face-known": ("a card that everybody sees", "deck/face-known", step.asked(slot=public)),
        "retired": ("a slot that was restacked", "deck/slot-retired", step.asked(slot=0)),
        "unknown": ("a number that no slot has", "deck/slot-unknown", step.asked(slot=99)),
        "stranger": ("a seat that is not at the table", "deck/seat",
                     step.asked(seat=5, parts={"5": step.step["parts"]["0"]})),
        "kind": ("a message that is no reveal", "encoding/kind",
                 step.sent(0, CommitPart(bytes(32)))),
    }  # fmt: skip
    for name, (what, reason, wanted) in about.items():
        yield step.refused(f"reveals/{name}", what, reason, wanted)
    share = Taken(three_seats(), "reveal by share")
    opened = share.part(2)
    yield share.refused("reveals/share", "another share", "proof/share",
                        share.sent(2, replace(opened, S=opened.S + _G)))  # fmt: skip
    scalar = OpenKey(share.secret(2, share.step["slot"]))
    about_key = "the scalar of a key that closes other cards too"
    yield share.refused("reveals/seat-key", about_key, "deck/release-form", share.sent(2, scalar))
    yield share.refused("reveals/not-at-hand", "a seat looks at a card it may not see",
                        "deck/not-viewer",
                        {"do": "see", "seat": 1, "slot": share.step["slot"]})  # fmt: skip


def _viewers() -> Iterator[Vector]:
    step = Taken(three_seats(), "reveal by a viewer")
    part = step.part(0)
    opened = OpenKey(7)
    changes = {
        "face": ("another face", "proof/view-face", replace(part, face="cat")),
        "face-unknown": ("a face that the deck has not", "deck/face-unknown",
                         replace(part, face="cow")),
        "opened": ("an opening of a layer that the seat has not", "deck/release-form", opened),
    }  # fmt: skip
    for name, (about, reason, forged) in changes.items():
        yield step.refused(f"viewers/{name}", about, reason, step.sent(0, forged))


def _faces() -> Iterator[Vector]:
    step = Taken(three_seats(), "face")
    own, stock = step.step["slot"], Taken(two_seats(), "restack")
    other = step.deck.layout.at(hand(Seat(0)))[0]
    asked: dict[str, tuple[str, str, Json]] = {
        "other": ("another face", "proof/face", step.asked(face="cat")),
        "false": ("a false claim, proven as if it were true", "proof/face",
                  step.sent(1, _false_face(step, "cat")) | {"face": "cat"}),
        "unknown": ("a face that the deck has not", "deck/face-unknown", step.asked(face="cow")),
        "other-slot": ("another slot of the seat", "proof/face",
                       step.asked(slot=step.deck.layout.at(hand(Seat(1)))[0])),
        "not-sole": ("the slot of another seat", "deck/not-sole", step.asked(slot=other)),
    }  # fmt: skip
    for name, (about, reason, wanted) in asked.items():
        yield step.refused(f"faces/{name}", about, reason, wanted)
    again = Taken(three_seats(), "member")
    wish = {**step.asked(), "moment": again.step["moment"]}
    wish.pop("then")
    assert again.slot(own).face == "dog", "it was claimed before"
    yield again.refused("faces/known", "a face that everybody knows", "deck/face-known", wish)
    public = next(number for number, slot in stock.deck.slots.items() if not slot.layers)
    hidden = Taken(two_seats(), "open")
    assert public in hidden.deck.slots, "it lay in the stock before it was opened"
    wish = {**wish, "slot": int(public), "face": "A", "seat": 1}
    yield hidden.refused("faces/stock", "a card of the stock, closed by all", "deck/not-sole", wish)


def _false_face(step: Taken, face: str) -> FacePart:
    number = step.step["slot"]
    slot = step.slot(number)
    L, C = slot.layer(Seat(1)).key, step.face(face)
    statement = relations.face(SECP256K1, L, slot.E, slot.N, C)
    transcript = ProofTranscript(SECP256K1, step.context(1, f"face/{face}", number))
    secret = step.secret(1, number)
    return FacePart(prove(SECP256K1, transcript, statement, [secret], step.ring(1).nonces))


def _members() -> Iterator[Vector]:
    step = Taken(three_seats(), "member")
    owl, potato, dog = step.step["faces"]
    asked: dict[str, tuple[str, str, Json]] = {
        "other": ("another face among them", "proof/member",
                  step.asked(faces=[owl, potato, "cat"])),
        "without": ("the true face exchanged for another", "proof/member",
                    step.asked(faces=["cat", potato, dog])),
        "order": ("another order", "proof/member", step.asked(faces=[potato, owl, dog])),
        "fewer": ("a branch for each of two faces only", "proof/length",
                  step.asked(faces=[owl, potato])),
        "twice": ("a face twice", "deck/face-unknown", step.asked(faces=[owl, owl, dog])),
        "none": ("no faces", "deck/face-unknown", step.asked(faces=[])),
        "unknown": ("a face that the deck has not", "deck/face-unknown",
                    step.asked(faces=[owl, potato, "cow"])),
    }  # fmt: skip
    for name, (about, reason, wanted) in asked.items():
        yield step.refused(f"members/{name}", about, reason, wanted)


def _absences() -> Iterator[Vector]:
    step = Taken(three_seats(), "absent")
    part = step.part(1)
    T, *rest = part.Ts
    asked: dict[str, tuple[str, str, Json]] = {
        "face": ("a face that the hand has", "proof/absent", step.asked(face="dog")),
        "other": ("another face", "proof/absent", step.asked(face="owl")),
        "T": ("another T", "proof/absent", step.sent(1, replace(part, Ts=(T + _G, *rest)))),
        "Ts-exchanged": ("each T for the other card", "proof/absent",
                         step.sent(1, replace(part, Ts=part.Ts[::-1]))),
        "partial": ("a T for one card of two", "deck/count",
                    step.sent(1, replace(part, Ts=part.Ts[:1]))),
        "empty": ("an empty zone", "deck/zone", step.asked(zone="table/1")),
        "foreign": ("the hand of another seat", "deck/zone", step.asked(zone="hand/0")),
        "unknown": ("a face that the deck has not", "deck/face-unknown", step.asked(face="cow")),
    }  # fmt: skip
    for name, (about, reason, wanted) in asked.items():
        yield step.refused(f"absences/{name}", about, reason, wanted)


def _verdicts() -> Iterator[Vector]:
    step, other = Taken(three_seats(), "equal"), Taken(three_seats(), "not-equal")
    cat, cat2 = step.step["slots"]
    owl, part = other.step["slots"][1], other.part(0)
    hidden = step.deck.layout.at(hand(Seat(2)))[0]
    false = replace(part, proof=Proof(part.proof.challenge, part.proof.responses[:3]))
    asked: dict[str, tuple[Taken, str, str, Json]] = {
        "equal-false": (step, "slots that differ", "proof/equal", step.asked(slots=[owl, cat2])),
        "equal-order": (step, "the slots in another order", "proof/equal",
                        step.asked(slots=[cat2, cat])),
        "twice": (step, "a slot beside itself", "deck/slot-twice", step.asked(slots=[cat, cat])),
        "one": (step, "one slot", "deck/count", step.asked(slots=[cat])),
        "none": (step, "no slots", "deck/count", step.asked(slots=[])),
        "not-viewer": (step, "a slot that the seat does not see", "deck/not-viewer",
                       step.asked(slots=[cat, hidden])),
        "unknown": (step, "a number that no slot has", "deck/slot-unknown",
                    step.asked(slots=[cat, 99])),
        "not-equal-false": (other, "slots that are equal", "proof/not-equal",
                            {**other.sent(0, false), "slots": [cat, cat2]}),
        "not-equal-length": (other, "more secrets than these slots have", "proof/length",
                             other.asked(slots=[cat, cat2])),
        "not-equal-T": (other, "another T", "proof/not-equal",
                        other.sent(0, replace(part, T=part.T + _G))),
        "not-equal-random": (other, "a T that is no multiple", "proof/not-equal",
                             other.sent(0, replace(part, T=some_point("T")))),
        "not-equal-tries": (other, "the weights of another try", "proof/not-equal",
                            other.sent(0, replace(part, tries=1))),
        "not-equal-fewer": (other, "a public verdict about fewer cards", "proof/not-equal",
                            other.asked(slots=other.step["slots"][:3])),
    }  # fmt: skip
    for name, (place, about, reason, wanted) in asked.items():
        yield place.refused(f"verdicts/{name}", about, reason, wanted)


def _memories() -> Iterator[Vector]:
    """Return what a seat asks about a card that it knows, but cannot read any more."""
    step = Taken(three_seats(), "reveal by share")
    handed = step.step["slot"]
    wish = {**step.asked(seat=0), "parts": {"0": step.step["parts"]["2"]}}
    yield step.refused("memories/share", "the giver opens a layer that is not its own",
                       "deck/release-form", wish)  # fmt: skip
    viewed = {**wish, "parts": Taken(three_seats(), "reveal by a viewer").step["parts"]}
    yield step.refused("memories/reveal", "the giver turns over the card that it gave away",
                       "deck/not-viewer", viewed)  # fmt: skip
    cat = step.deck.layout.at(hand(Seat(0)))[0]
    verdict = Taken(three_seats(), "equal")
    wish = {**verdict.asked(slots=[cat, handed]), "moment": step.step["moment"]}
    wish.pop("then")
    yield step.refused("memories/verdict", "the giver compares the card that it gave away",
                       "deck/not-viewer", wish)  # fmt: skip


def _restacks() -> Iterator[Vector]:
    step = Taken(two_seats(), "restack")
    part = step.part(0)
    card, other = part.cards
    inward, outward = part.inward, part.outward
    turned = (part.keys[1], part.keys[0])
    changes: dict[str, tuple[str, str, Any]] = {
        "H": ("another key of the hand", "proof/convert", replace(part, H=part.H + _G)),
        "inward": ("a card has become another on its way in", "proof/convert",
                   replace(part, inward=replace(inward, deltas=_moved(inward.deltas)))),
        "outward": ("a card has become another on its way out", "proof/convert",
                    replace(part, outward=replace(outward, deltas=_moved(outward.deltas)))),
        "card": ("a card has become another in between", "proof/shuffle",
                 replace(part, cards=(card._replace(M=card.M + _G), other))),
        "twice": ("a card twice, the other not at all", "proof/shuffle",
                  replace(part, cards=(card, card))),
        "keys": ("the keys exchanged", "proof/convert", replace(part, keys=turned)),
        "count": ("a card less", "deck/count", replace(part, cards=(card,))),
        "keys-count": ("a key less", "deck/count", replace(part, keys=part.keys[:1])),
        "deltas-count": ("a delta less", "deck/count",
                         replace(part, inward=replace(inward, deltas=inward.deltas[:1]))),
    }  # fmt: skip
    for name, (about, reason, forged) in changes.items():
        yield step.refused(f"restacks/{name}", about, reason, step.sent(0, forged))
    yield step.refused("restacks/empty", "an empty zone", "deck/zone",
                       step.asked(zone="table/0"))  # fmt: skip
    yield step.refused("restacks/foreign", "the hand of another seat", "deck/zone",
                       step.asked(zone="hand/1"))  # fmt: skip


def _moved(deltas: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return deltas that change two cards, their sum staying the same."""
    return (deltas[0] + _G, deltas[1] - _G)


def _transfers() -> Iterator[Vector]:
    step = Taken(three_seats(), "transfer")
    part = step.part(0)
    (handed,) = part.cards
    number, to = step.step["moves"]["0"]["slots"][0], step.step["moves"]["0"]["to"]
    theirs = step.deck.layout.at(hand(Seat(1)))[0]

    def move(slots: list[int], receiver: int = to) -> Json:
        return step.asked(moves={"0": {"slots": slots, "to": receiver}})

    changed = handed.card._replace(M=handed.card.M + _G)
    moved = handed.card._replace(E=handed.card.E + _G)
    asked: dict[str, tuple[str, str, Json]] = {
        "receiver": ("another receiver", "proof/transfer", move([number], 1)),
        "stranger": ("a receiver who is not at the table", "deck/seat", move([number], 5)),
        "itself": ("to the giver itself", "deck/seat", move([number], 0)),
        "not-sole": ("the card of another seat", "deck/not-sole", move([theirs])),
        "twice": ("one card twice", "deck/slot-twice", move([number, number])),
        "none": ("no cards", "deck/count", move([])),
        "unknown": ("a number that no slot has", "deck/slot-unknown", move([99])),
        "count": ("two new cards for one", "deck/count",
                  step.sent(0, HandoverPart((handed, handed)))),
        "M": ("the card has become another", "proof/transfer",
              step.sent(0, HandoverPart((replace(handed, card=changed),)))),
        "E": ("another E", "proof/transfer",
              step.sent(0, HandoverPart((replace(handed, card=moved),)))),
        "false": ("another card, proven as if it were the same", "proof/transfer",
                  step.sent(0, _false_transfer(step, number, to))),
    }  # fmt: skip
    for name, (about, reason, wanted) in asked.items():
        yield step.refused(f"transfers/{name}", about, reason, wanted)
    both = Taken(three_seats(), "exchange")
    crossed = {"0": both.step["parts"]["1"], "1": both.step["parts"]["0"]}
    yield both.refused("transfers/crossed", "each giver with the part of the other",
                       "proof/transfer", both.asked(parts=crossed))  # fmt: skip


def _false_transfer(step: Taken, number: int, receiver: int) -> HandoverPart:
    slot, rho = step.slot(number), 12345
    k, Y = step.secret(0, number), step.deck.sealing_keys[Seat(receiver)]
    E = rho * _G
    M = slot.N - k * slot.E + rho * Y + step.face("potato") - step.face("owl")
    L = slot.layer(Seat(0)).key
    statement = relations.handover(SECP256K1, L, slot.E, slot.N, E, M, Y)
    transcript = ProofTranscript(SECP256K1, step.context(0, f"transfer/{receiver}", number))
    proof = prove(SECP256K1, transcript, statement, [k, rho], step.ring(0).nonces)
    card = Taken(three_seats(), "transfer").part(0).cards[0].card
    return HandoverPart((HandedCard(card._replace(E=E, M=M), proof),))


def _returns() -> Iterator[Vector]:
    step = Taken(two_seats(), "return")
    slots, sent = step.step["slots"], step.step["parts"]
    part = step.part(1)
    handed = part.cards[0]
    changed = replace(handed, card=handed.card._replace(M=handed.card.M + _G))
    asked: dict[str, tuple[str, str, Json]] = {
        "M": ("the card has become another", "proof/return",
              step.sent(1, HandoverPart((changed,)))),
        "count": ("a card too many", "deck/count", step.sent(1, HandoverPart((handed, handed)))),
        "missing": ("the part of a holder is missing", "deck/missing", step.sent(1, None)),
        "not-owing": ("only public cards: the holders owe nothing", "deck/seat",
                      step.asked(slots=slots[:2], parts={"1": sent["1"]})),
        "twice": ("a slot twice", "deck/slot-twice", step.asked(slots=[*slots, slots[0]])),
        "none": ("no slots", "deck/count", step.asked(slots=[])),
        "retired": ("a slot that was restacked", "deck/slot-retired",
                    step.asked(slots=[*slots, 0])),
    }  # fmt: skip
    for name, (about, reason, wanted) in asked.items():
        yield step.refused(f"returns/{name}", about, reason, wanted)
    left = Taken(three_seats(), "reveal after leaving")
    wish: Json = {
        "do": "return",
        "slots": [left.step["slot"]],
        "zone": "stock",
        "moment": left.step["moment"],
        "parts": {"0": sent["1"]},
    }
    yield left.refused("returns/gone", "a seat with a deck key has left", "deck/seat-gone", wish)


def _decisions() -> Iterator[Vector]:
    step = Taken(three_seats(), "choice: open")
    part = step.part(1)
    other = step.part(0)
    long = b"\x84\x01\x69deck/open\x59\x04\x01" + bytes(1025) + b"\x58\x20" + part.salt
    changes: dict[str, tuple[str, str, Any]] = {
        "value": ("another value", "commit/mismatch", OpenPart(b"owl", part.salt)),
        "salt": ("another salt", "commit/mismatch", OpenPart(part.value, flipped(part.salt))),
        "copied": ("the opening of another seat", "commit/mismatch", other),
        "oversized": ("a value that no message can hold", "encoding/shape", long),
    }
    for name, (about, reason, forged) in changes.items():
        yield step.refused(f"decisions/{name}", about, reason, step.sent(1, forged))
    before = Taken(three_seats(), "choice: commit")
    copied = before.part(0).commitment
    mirrored = step.asked(do="open")
    assert copied != before.part(1).commitment, "commitments depend on the seat"
    mirrored["parts"] = {"1": step.step["parts"]["0"]}
    yield step.refused("decisions/mirrored", "a seat opens what another has committed to",
                       "commit/mismatch", mirrored)  # fmt: skip
    coin = Taken(two_seats(), "coin: coin")
    yield coin.refused("decisions/missing", "a seat has not opened", "commit/missing",
                       coin.asked(seats=[0, 1, 2]))  # fmt: skip
    choice = Taken(three_seats(), "choice: open").step["label"]
    toss = Taken(three_seats(), "coin: coin")
    yield toss.refused("decisions/no-coin", "values that are no coins", "commit/length",
                       toss.asked(label=choice))  # fmt: skip


def _others() -> Iterator[Vector]:
    table = three_seats()
    move = Taken(table, "move")
    yield move.refused("moves/elsewhere", "a slot that does not lie there", "deck/zone",
                       {**move.asked(), "from": "hand/0"})  # fmt: skip
    first = move.step["slots"][0]
    yield move.refused("moves/twice", "a slot twice", "deck/slot-twice",
                       move.asked(slots=[first, first]))  # fmt: skip
    leave = Taken(table, "leave")
    yield leave.refused("leaving/stranger", "a seat that is not at the table", "deck/seat",
                        leave.asked(seats=[5]))  # fmt: skip
    after = Taken(table, "reveal after leaving")
    actor = {**after.asked(seat=2), "parts": {"2": after.step["parts"]["0"]}}
    yield after.refused("leaving/acting", "a seat that has left", "deck/seat", actor)
    yield from _left(after)
    end = len(table.steps)
    wish: Json = {"do": "see", "seat": 0, "slot": int(table.state.layout.zones[STOCK][0])}
    yield refused_at(table, end, "grants/unseen", "a seat looks at a card of the stock",
                     "deck/not-viewer", wish)  # fmt: skip


def _left(after: Taken) -> Iterator[Vector]:
    """Return what a seat claims or does that has left, about cards that still lie there."""
    public = [number for number, slot in after.deck.slots.items() if slot.face is not None]
    (own,) = (number for number in after.deck.layout.at(hand(Seat(2)))
              if Seat(2) in after.slot(number).layers)  # fmt: skip
    asked: dict[str, Json] = {
        "equal": {"slots": public[:2]},
        "not-equal": {"slots": public[:2]},
        "face": {"slot": own, "face": "dog"},
        "member": {"slot": own, "faces": ["dog", "cat", "owl"]},
        "absent": {"zone": "hand/2", "face": "cow"},
        "restack": {"zone": "hand/2"},
        "transfer": {"moves": {"2": {"slots": [own], "to": 0}}},
    }
    for do, members in asked.items():
        mark = "restack of a shown card" if do == "restack" else do
        made = Taken(three_seats(), mark).step
        (message, *_) = made["parts"].values()
        wanted = {"do": do, "seat": 2, **members, "moment": after.step["moment"]}
        if do == "transfer":
            del wanted["seat"]
        about = f"{do} by a seat that has left"
        yield after.refused(f"leaving/{do}", about, "deck/seat", wanted | {"parts": {"2": message}})
