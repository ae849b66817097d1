"""Single objects that a dishonest seat signs, good ones among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from nodealer.deck import Keyring
from nodealer.kernel import EntryId, Height, NodealerError, Seat
from nodealer.ledger import ChainEntry, Contribution, Given, Leave, Refusal, Seal, Vote
from nodealer.ledger.chain import chain_of
from nodealer.ledger.objects import Evict, Keep, Part, Signed
from nodealer.table import Position, state_of
from nodealer.table.carrying import make
from nodealer.table.operations.ask import ASK, write_said
from nodealer.table.operations.choose import CHOICE, write_choice
from tests.verify.forger.forgery import Hand

REASONS: Final = ("rules/illegal", "ledger/not-owed", "ledger/builds-on-other", "proof/shuffle")

DECIDED: Final = (CHOICE.kind, ASK.kind)
"""The kinds of parts that players decide on, and that do not follow from keys."""


def any_seal(hand: Hand) -> Seal:
    """Return a seal of the dishonest seat on anything, over anything."""
    one = hand.one(hand.pieces.seals)
    other = hand.one(hand.pieces.seals)
    change: dict[str, object] = hand.one(
        [
            {"entry": other.entry},
            {"entry": hand.one(hand.pieces.contents).id},
            {"entry": EntryId(hand.one(hand.pieces.contributions).id)},
            {"parent": other.parent},
            {"height": other.height},
            {"rank": hand.between(0, 3)},
        ]
    )
    return hand.sign(one, **change)


def any_vote(hand: Hand) -> Vote:
    """Return a vote of the dishonest seat for anything."""
    contents = hand.pieces.contents
    base = hand.one(contents)
    seats = tuple(sorted(hand.some(hand.history.charter.seats, 3)))
    kept = Keep(hand.one(contents).id, hand.between(0, 2))
    votes = hand.pieces.votes
    if votes and hand.happens(60):
        vote = hand.one(votes)
        change: dict[str, object] = hand.one(
            [{"choice": Evict(seats)}, {"choice": kept}, {"round": vote.round + 1}, {"rank": 1}]
        )
        return hand.sign(vote, **change)
    height, number = Height(base.height + 1), hand.between(0, 2)
    choice = Evict(seats) if hand.happens(70) else kept
    seat = hand.history.charter.seats[0]
    return hand.sign(Vote(base.table, height, base.id, 0, number, choice, seat, b""))


def any_refusal(hand: Hand) -> Refusal:
    """Return a refusal of the dishonest seat of anything."""
    one = hand.one(hand.pieces.contributions)
    content = hand.one(hand.pieces.contents)
    place = (one.table, one.height, one.parent)
    refused, over = one.id, one.on
    if hand.happens(40):
        place = (content.table, content.height, content.parent)
        refused, over = content.id, ()
    return hand.sign(Refusal(*place, refused, hand.one(REASONS), over, one.seat, b""))


def any_leave(hand: Hand) -> Leave:
    """Return a leave of the dishonest seat from anywhere."""
    content = hand.one(hand.pieces.contents)
    number = hand.between(0, 2)
    return hand.sign(Leave(content.table, content.height, content.parent, number, Seat(0), b""))


def any_contribution(hand: Hand) -> Contribution:
    """Return a contribution of the dishonest seat that it should not make."""
    own = [one for one in hand.pieces.contributions if one.seat == hand.key]
    one = hand.one(own if hand.happens(80) else hand.pieces.contributions)
    match hand.below(6):
        case 0 | 1:
            good = made_otherwise(hand, one)
            return one if good is None else good
        case 2:
            label, payload = one.payloads[0]
            bent = payload[:-1] + bytes([payload[-1] ^ 1])
            change: dict[str, object] = {"payloads": ((label, bent), *one.payloads[1:])}
        case 3:
            others = [other.id for other in hand.pieces.contributions if other.seat != hand.key]
            change = {"on": hand.some(others, 2)}
        case 4:
            change = {"payloads": hand.one(hand.pieces.contributions).payloads}
        case _:
            change = {"parent": hand.one(hand.pieces.contents).id}
    return hand.sign(one, **change)


def made_otherwise(hand: Hand, one: Contribution) -> Contribution | None:
    """Return another good contribution for the same parts, made from another seed, if possible."""
    link = link_of(hand, one.parent)
    parts = () if link is None else link.owed_by(one.seat)
    if link is None or one.seat != hand.key or not parts:
        return None
    known = {other.id: other for other in hand.pieces.contributions if other.parent == one.parent}
    ring = hand.history.players[one.seat].keyring
    other = Keyring(ring.group, ring.seat, bytes([hand.below(256)] * 32))
    state, moment = state_of(link), link.moment()
    try:
        chain = chain_of(link, one, known.get) or ()
        given = tuple(Given(each.seat, each.payloads) for each in chain)
        payloads = tuple(
            (
                part.label,
                decided_otherwise(hand, state.position, part)
                if part.kind in DECIDED
                else make(state.place_of(moment, part.label, given), part.kind, other),
            )
            for part in parts
        )
    except NodealerError:
        return None  # from another seed not everything can be made
    return hand.sign(one, payloads=payloads)


def decided_otherwise(hand: Hand, position: Position, part: Part) -> bytes:
    """Return any choice that the dishonest seat may make, or a commitment to any answer."""
    assert hand.key is not None
    player = hand.history.players[hand.key]
    view = position.view(hand.key, player.notebook(position))
    said = hand.one(position.game.legal(view))
    if part.kind == CHOICE.kind:
        return write_choice(position, hand.key, said)
    return write_said(position, player.keyring, part.label, said)


def link_of(hand: Hand, entry: bytes) -> ChainEntry | None:
    """Return the link of an entry, as an honest seat holds it."""
    for table in (*hand.history.tables.values(), *hand.history.earlier):
        link = table.ledger.tip.find(entry)
        if link is not None:
            return link
    return None


def anything(hand: Hand) -> Signed:
    """Return anything that the dishonest seat may sign."""
    makers: list[Callable[[Hand], Signed]]
    makers = [any_seal, any_vote, any_refusal, any_leave, any_contribution, any_contribution]
    return hand.one(makers)(hand)
