"""What a seat can do to a file that signs whatever it likes, beside what any stranger can.

It makes second contributions, good ones among them, seals what it pleases, votes and refuses
without reason, and tells honest seats things to see what they answer. Only this seat may be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import Certificate, Content, DueStep, Entry, EvictStep, Evidence, Seal, Vote
from nodealer.ledger.messages import Contributed
from nodealer.ledger.objects import Evict, Part
from tests.verify.forger.accusing import some_grounds
from tests.verify.forger.forgery import Hand, Nothing, Operation, changed
from tests.verify.forger.opening import message_of
from tests.verify.forger.provoking import provoke
from tests.verify.forger.rewriting import other_step
from tests.verify.forger.signing import anything, link_of, made_otherwise
from tests.verify.forger.tricks import roster_at, twice_under_one_label


def sign_more(hand: Hand) -> None:
    """Add what the dishonest seat has signed to what is open."""
    more = [message_of(hand, anything(hand)) for _ in range(hand.between(1, 3))]
    hand.file = replace(hand.file, open=(*hand.file.open, *more))
    hand.tell("signed besides:", *[type(one).__name__ for one in more])


def sign_beforehand(hand: Hand) -> None:
    """Sign things without showing them yet: what comes later may use them."""
    made = [anything(hand) for _ in range(hand.between(2, 6))]
    hand.tell("signed for later:", *[type(one).__name__ for one in made])


def contribute_otherwise(hand: Hand) -> None:
    """Replace the own contribution to an entry, let the content name it, and seal that."""
    at = hand.at(lambda entry: any(one.seat == hand.key for one in entry.contributions))
    entry = hand.file.entries[at]
    old = next(one for one in entry.contributions if one.seat == hand.key)
    match hand.below(3):
        case 0 | 1:
            new = made_otherwise(hand, old)
            if new is None:
                raise Nothing
        case _:
            label, payload = old.payloads[0]
            bent = ((label, payload[:-1] + bytes([payload[-1] ^ 1])), *old.payloads[1:])
            new = hand.sign(old, payloads=bent)
    given = tuple(new if one is old else one for one in entry.contributions)
    content = changed(entry.content, contributions=tuple((one.seat, one.id) for one in given))
    entry = replace(entry, contributions=given)
    hand.put(at, sealed_by_key(hand, entry, content))
    if hand.happens(50):
        hand.file = replace(hand.file, open=(*hand.file.open, Contributed(old)))
    hand.tell("contributed something else to entry", at + 1)


def sealed_by_key(hand: Hand, entry: Entry, content: Content) -> Entry:
    """Return an entry with another content that the dishonest seat seals, or does not."""
    certificate = replace(entry.certificate, entry=content.id)
    if certificate.seals and hand.happens(80):
        place = {
            "table": content.table,
            "height": content.height,
            "parent": content.parent,
            "entry": content.id,
        }
        mine = hand.sign(certificate.seals[0], **place)
        others = [seal for seal in certificate.seals if seal.seat != hand.key]
        if hand.happens(50):
            others = []
        seals = tuple(sorted([*others, mine], key=lambda seal: seal.seat))
        certificate = replace(certificate, seals=seals)
    return replace(entry, content=content, certificate=certificate)


def seal_rewritten(hand: Hand) -> None:
    """Rewrite a content and seal it."""
    at = hand.at()
    entry = hand.file.entries[at]
    content = entry.content
    change: dict[str, object] = hand.one(
        [
            {"step": other_step(hand, content.step)},
            {"state": hand.one(hand.pieces.contents).state},
            {"height": Height(content.height + 1)},
            {"parent": hand.one(hand.pieces.contents).id},
            {"contributions": hand.one(hand.pieces.contents).contributions},
        ]
    )
    hand.put(at, sealed_by_key(hand, entry, changed(content, **change)))
    hand.tell("sealed entry", at + 1, "with another", *change)


def vote_out(hand: Hand) -> None:
    """Leave others out by the own vote, with whatever grounds and others' votes there are."""
    entries = hand.file.entries
    at = hand.between(0, len(entries))
    table = hand.file.charter.table
    parent = entries[at - 1].content.id if at else EntryId(table)
    roster = roster_at(hand, at)
    others = [seat for seat in roster if seat != hand.key]
    out = tuple(sorted(hand.some(others, 3))) or tuple(others)
    number = hand.between(1, 2)
    mine = hand.sign(Vote(table, Height(at + 1), parent, 0, number, Evict(out), Seat(0), b""))
    votes = [one for one in hand.pieces.votes if one.base == parent and one.seat != hand.key]
    votes = sorted([mine, *hand.some(votes, 3)], key=lambda vote: vote.seat)
    leaves = {leave.seat: leave for leave in hand.pieces.leaves}
    grounds = tuple(leaves[seat] for seat in out if seat in leaves)
    if len(grounds) != len(out) and hand.happens(50):
        grounds = some_grounds(hand)
    link = link_of(hand, parent)
    state = bytes(32)
    if link is not None and out and set(out) < set(link.roster):
        state = link.state.evicted(link.moment(), out).digest()
    content = Content(table, Height(at + 1), parent, EvictStep(number, out), (), state)
    certificate = Certificate(content.id, number, votes=tuple(votes), grounds=grounds)
    entry = Entry(content, (), certificate)
    rest = entries[at + 1 :] if hand.happens(30) else ()
    hand.file = replace(hand.file, entries=(*entries[:at], entry, *rest))
    if hand.happens(50):
        hand.file = replace(hand.file, open=(), evidence=())
    hand.tell("voted out", *out, "at", at + 1)


def frame_by_evidence(hand: Hand) -> None:
    """Bring evidence in which own messages stand beside those of others."""
    first = hand.one(hand.pieces.signed)
    mine = [anything(hand) for _ in range(hand.between(1, 2))]
    messages = [*mine, first] if hand.happens(50) else [first, *mine]
    rest = hand.some(hand.pieces.contributions, 4)
    codes = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")
    contents = hand.some(hand.pieces.contents, 2)
    seat = hand.one(hand.history.charter.seats)
    evidence = Evidence(hand.one(codes), seat, (*messages, *rest), contents)
    hand.file = replace(hand.file, evidence=(*hand.file.evidence, evidence))
    hand.tell(f"{evidence.code} against {seat}")


def go_on_alone(hand: Hand) -> None:
    """Where all others are out, seal any content alone: one that says what binds, for instance."""
    entries = hand.file.entries
    alone = [n for n in range(1, len(entries) + 1) if roster_at(hand, n) == (hand.key,)]
    at = hand.one(alone)
    parent = entries[at - 1].content.id
    content = changed(hand.one(hand.pieces.contents), height=Height(at + 1), parent=parent)
    twice = list(twice_under_one_label(hand))
    if twice and hand.happens(70):
        label, one, other = hand.one(twice)
        part = Part(label, "keys", (one.seat,), binding=True, chained=False)
        content = changed(content, step=DueStep((part,)), contributions=())
        shown = (Contributed(one), Contributed(other))
        evidence = Evidence("E1", one.seat, (one, other))
        if hand.happens(50):
            hand.file = replace(hand.file, evidence=(*hand.file.evidence, evidence))
        else:
            hand.file = replace(hand.file, open=(*hand.file.open, *shown))
    else:
        content = changed(content, step=other_step(hand, content.step), contributions=())
    table = hand.file.charter.table
    assert hand.key is not None
    seal = hand.sign(Seal(table, Height(at + 1), parent, content.id, 0, hand.key, b""))
    entry = Entry(content, (), Certificate(content.id, 0, seals=(seal,)))
    hand.file = replace(hand.file, entries=(*entries[:at], entry))
    hand.tell("alone from entry", at + 1)


DISHONEST: Final[Mapping[str, Operation]] = {
    "sign-more": sign_more,
    "sign-beforehand": sign_beforehand,
    "contribute-otherwise": contribute_otherwise,
    "seal-rewritten": seal_rewritten,
    "vote-out": vote_out,
    "frame-by-evidence": frame_by_evidence,
    "go-on-alone": go_on_alone,
    "provoke": provoke,
}
