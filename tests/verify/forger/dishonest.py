"""What a seat can do to a file that signs whatever it likes, beside what any stranger can.

It makes second contributions, good ones among them, seals what it pleases, votes and refuses
without reason, and tells honest seats things to see what they answer. Only this seat may be named.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from nodealer.deck import Keyring
from nodealer.kernel import EntryId, Height, NodealerError
from nodealer.ledger import (
    AuthoredStep,
    Certificate,
    Content,
    Contribution,
    DueStep,
    Entry,
    Evidence,
    EvictStep,
    Given,
    Leave,
    Link,
    Refusal,
    Seal,
    Vote,
)
from nodealer.ledger.messages import Contributed, Proposal, Sealed
from nodealer.ledger.objects import Evict, Keep, Part
from nodealer.table import Position, Table, state_of
from nodealer.table.acting import write_choice
from nodealer.table.parts import CHOOSE, make
from nodealer.verify import read_transcript, transcript_of
from tests.verify.forger.forgery import Hand, Nothing, Operation, changed
from tests.verify.forger.strangers import message_of, other_step, some_grounds
from tests.verify.forger.tricks import roster_at, twice_under_one_label

REASONS: Final = ("rules/illegal", "ledger/not-owed", "ledger/builds-on-other", "proof/shuffle")


# Single objects.


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
            {"rank": hand.chance.randint(0, 3)},
        ]
    )
    made: Seal = hand.sign(one, **change)
    return made


def any_vote(hand: Hand) -> Vote:
    """Return a vote of the dishonest seat for anything."""
    contents = hand.pieces.contents
    base = hand.one(contents)
    seats = tuple(sorted(hand.some(hand.history.charter.seats, 3)))
    kept = Keep(hand.one(contents).id, hand.chance.randint(0, 2))
    votes = hand.pieces.votes
    if votes and hand.happens(60):
        vote = hand.one(votes)
        change: dict[str, object] = hand.one(
            [{"choice": Evict(seats)}, {"choice": kept}, {"round": vote.round + 1}, {"rank": 1}]
        )
        made: Vote = hand.sign(vote, **change)
        return made
    height, number = Height(base.height + 1), hand.chance.randint(0, 2)
    choice = Evict(seats) if hand.happens(70) else kept
    seat = hand.history.charter.seats[0]
    made = hand.sign(Vote(base.table, height, base.id, 0, number, choice, seat, b""))
    return made


def any_refusal(hand: Hand) -> Refusal:
    """Return a refusal of the dishonest seat of anything."""
    one = hand.one(hand.pieces.contributions)
    content = hand.one(hand.pieces.contents)
    place = (one.table, one.height, one.parent)
    refused, over = one.id, one.on
    if hand.happens(40):
        place = (content.table, content.height, content.parent)
        refused, over = content.id, ()
    made: Refusal = hand.sign(Refusal(*place, refused, hand.one(REASONS), over, one.seat, b""))
    return made


def any_leave(hand: Hand) -> Leave:
    """Return a leave of the dishonest seat from anywhere."""
    content = hand.one(hand.pieces.contents)
    number = hand.chance.randint(0, 2)
    made: Leave = hand.sign(
        Leave(content.table, content.height, content.parent, number, hand.one([*range(2)]), b"")  # type: ignore[arg-type]  # signing sets the seat
    )
    return made


def any_contribution(hand: Hand) -> Contribution:
    """Return a contribution of the dishonest seat that it should not make."""
    own = [one for one in hand.pieces.contributions if one.seat == hand.key]
    one = hand.one(own if hand.happens(80) else hand.pieces.contributions)
    match hand.chance.randrange(6):
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
    made: Contribution = hand.sign(one, **change)
    return made


def made_otherwise(hand: Hand, one: Contribution) -> Contribution | None:
    """Return another good contribution for the same parts, made from another seed, if possible."""
    link = link_of(hand, one.parent)
    parts = () if link is None else link.owed_by(one.seat)
    if link is None or one.seat != hand.key or not parts:
        return None
    known = {other.id: other for other in hand.pieces.contributions}
    ring = hand.history.players[one.seat].keyring
    other = Keyring(ring.group, ring.seat, bytes([hand.chance.randrange(256)] * 32))
    state, moment = state_of(link), link.moment()
    chain: list[Contribution] = []
    before = [known[name] for name in one.on if name in known]
    while before:
        chain[:0] = before
        before = [known[name] for name in before[0].on if name in known]
    given = tuple(Given(each.seat, each.payloads) for each in chain)
    try:
        payloads = tuple(
            (
                part.label,
                chosen_otherwise(hand, state.position)
                if part.kind == CHOOSE
                else make(state.place_of(moment, part.label, given), part.kind, other),
            )
            for part in parts
        )
    except NodealerError:
        return None  # from another seed not everything can be made
    made: Contribution = hand.sign(one, payloads=payloads)
    return made


def chosen_otherwise(hand: Hand, position: Position) -> bytes:
    """Return any choice that the dishonest seat may make."""
    assert hand.key is not None
    player = hand.history.players[hand.key]
    view = position.view(hand.key, player.notebook(position))
    return write_choice(position, hand.key, hand.one(position.game.legal(view)))


def link_of(hand: Hand, entry: bytes) -> Link | None:
    """Return the link of an entry, as an honest seat holds it."""
    for table in (*hand.history.tables.values(), *hand.history.earlier):
        link = table.ledger.tip.find(entry)
        if link is not None:
            return link
    return None


def anything(hand: Hand) -> Any:
    """Return anything that the dishonest seat may sign."""
    makers = (any_seal, any_vote, any_refusal, any_leave, any_contribution, any_contribution)
    return hand.one(makers)(hand)


# In a file.


def sign_more(hand: Hand) -> None:
    """Add what the dishonest seat has signed to what is open."""
    more = [message_of(hand, anything(hand)) for _ in range(hand.chance.randint(1, 3))]
    hand.file = replace(hand.file, open=(*hand.file.open, *more))
    hand.tell("signed besides:", *[type(one).__name__ for one in more])


def sign_beforehand(hand: Hand) -> None:
    """Sign things without showing them yet: what comes later may use them."""
    made = [anything(hand) for _ in range(hand.chance.randint(2, 6))]
    hand.tell("signed for later:", *[type(one).__name__ for one in made])


def contribute_otherwise(hand: Hand) -> None:
    """Replace the own contribution to an entry, let the content name it, and seal that."""
    at = hand.at(lambda entry: any(one.seat == hand.key for one in entry.contributions))
    entry = hand.file.entries[at]
    old = next(one for one in entry.contributions if one.seat == hand.key)
    match hand.chance.randrange(3):
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
    at = hand.chance.randint(0, len(entries))
    table = hand.file.charter.table
    parent = entries[at - 1].content.id if at else EntryId(table)
    roster = roster_at(hand, at)
    others = [seat for seat in roster if seat != hand.key]
    out = tuple(sorted(hand.some(others, 3))) or tuple(others)
    number = hand.chance.randint(1, 2)
    mine = hand.sign(Vote(table, Height(at + 1), parent, 0, number, Evict(out), roster[0], b""))
    votes = [one for one in hand.pieces.votes if one.base == parent and one.seat != hand.key]
    votes = sorted([mine, *hand.some(votes, 3)], key=lambda vote: vote.seat)
    leaves = {leave.seat: leave for leave in hand.pieces.leaves}
    grounds = tuple(leaves[seat] for seat in out if seat in leaves)
    if len(grounds) != len(out) and hand.happens(50):
        grounds = some_grounds(hand)
    link = link_of(hand, parent)
    state = bytes(32)
    if link is not None and set(out) < set(link.roster):
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
    mine = [anything(hand) for _ in range(hand.chance.randint(1, 2))]
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


# Among honest seats.


def provoke(hand: Hand) -> None:
    """Tell honest seats things, each perhaps another one, and take what they answer.

    The file is then one that one of them would write.
    """
    if not hand.tables:
        tables = hand.history.tables.items()
        hand.tables = {seat: table for seat, table in tables if seat != hand.key}
    assert hand.key is not None
    for _ in range(hand.chance.randint(1, 5)):
        tip = hand.one([table.ledger.tip for table in hand.tables.values()])
        message = near_message(hand, tip)
        to = [seat for seat in hand.tables if hand.happens(70)]
        exchange(hand, [(seat, message) for seat in to])
        hand.tell("told", *to, type(message).__name__)
    if hand.happens(50):
        pass_time(hand)
    writers = [table for table in hand.tables.values() if table.ledger.tip.height >= 0]
    hand.file = read_transcript(transcript_of(hand.one(writers).ledger))


def near_message(hand: Hand, tip: Link) -> Any:
    """Return a message of the dishonest seat over a tip, where honest seats may answer it."""
    assert hand.key is not None
    table, height = tip.table, Height(tip.height + 1)
    parts = tip.owed_by(hand.key)
    if parts and hand.happens(70):
        known = [one for one in hand.pieces.contributions if one.parent == tip.id]
        before = tip.predecessors(hand.key)
        on = tuple(hand.one([one.id for one in known if one.seat == seat]) for seat in before)
        blank = tuple((part.label, b"") for part in parts)
        one = Contribution(table, height, tip.id, hand.key, blank, on, b"")
        good = made_otherwise(hand, one)
        if good is not None and hand.happens(70):
            return Contributed(good)
        label, payload = (good or one).payloads[0]
        bent = ((label, payload[:-1] + b"x"), *(good or one).payloads[1:])
        return Contributed(hand.sign(one, payloads=bent, on=on if hand.happens(70) else ()))
    actions = [c for c in hand.pieces.contents if isinstance(c.step, AuthoredStep)]
    if actions and hand.happens(60):
        old = hand.one(actions)
        assert isinstance(old.step, AuthoredStep)
        step = AuthoredStep(hand.key, old.step.action)
        content = changed(
            old, table=table, height=height, parent=tip.id, step=step, contributions=()
        )
        seal = hand.sign(Seal(table, height, tip.id, content.id, tip.rank, hand.key, b""))
        return Proposal(content, seal)
    match hand.chance.randrange(4):
        case 0:
            one = any_refusal(hand)
            return message_of(hand, hand.sign(one, height=height, parent=tip.id))
        case 1:
            seats = tuple(sorted(hand.some(tip.roster, 2)))
            number = hand.chance.randint(0, 3)
            vote = Vote(table, height, tip.id, tip.rank, number, Evict(seats), hand.key, b"")
            return message_of(hand, hand.sign(vote))
        case 2:
            entry = hand.one(hand.pieces.contents).id
            seal = Seal(table, height, tip.id, entry, tip.rank, hand.key, b"")
            return Sealed(hand.sign(seal))
        case _:
            return message_of(hand, anything(hand))


def exchange(hand: Hand, queue: list[tuple[Any, Any]]) -> None:
    """Deliver messages to honest seats, and what these answer to each other."""
    for _ in range(300):
        if not queue:
            return
        to, message = queue.pop(0)
        _take(hand, to, hand.tables[to].receive(message), queue)


def _take(hand: Hand, seat: Any, done: tuple[Table, Any], queue: list[tuple[Any, Any]]) -> None:
    hand.tables[seat], ready = done
    hand.provoked.extend(ready.persist)
    for out in ready.send:
        hand.provoked.append(out.message)
        others = [other for other in hand.tables if other != seat and out.to in (None, other)]
        queue.extend((other, out.message) for other in others)


def pass_time(hand: Hand) -> None:
    """Let honest seats lose patience."""
    now = max(table.ledger.now for table in hand.tables.values())
    for step in range(1, 4):
        queue: list[tuple[Any, Any]] = []
        for seat in tuple(hand.tables):
            _take(hand, seat, hand.tables[seat].tick(now + step * 200_000), queue)
        exchange(hand, queue)
    hand.tell("time passed")


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
