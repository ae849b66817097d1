"""The findings of this seat about others: by replay, and by comparing what one seat has signed.

Replay judges contents and contributions when they arrive, over exactly the parent and the
contributions that they name; who lacks one of these neither refuses nor accepts. What replay
refuses is answered with a signed refusal, and the code that refuses is the code that judges, so an
honest refusal is never false.

Comparing finds what contradicts itself: two messages of one seat in hand are enough. Both ways end
in `Draft.prove`, which remembers one piece of evidence for a seat.

A signature of this seat that its journal lacks is no evidence but a warning: somebody restored an
old copy. Such a node adopts the signature and signs nothing until all others have told it what
else it has signed (`recovery`).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from nodealer.kernel import EntryId, PeerError, Rate, Reason, Seat
from nodealer.ledger.certificates import complete_by_seals, evicted_in, kept_in
from nodealer.ledger.chain import (
    NEAR_MAX,
    ChainEntry,
    Followed,
    chain_of,
    eviction,
    follow,
    judge_contribution,
    settled,
)
from nodealer.ledger.desk import ROUNDS_MAX, put
from nodealer.ledger.draft import Draft, everything_of
from nodealer.ledger.evidence import between, judge, two_bindings
from nodealer.ledger.guilt import against_sealer, binding_in, built_on, replayed
from nodealer.ledger.messages import Refused, alone
from nodealer.ledger.objects import (
    Certificate,
    Content,
    Contribution,
    DueStep,
    Evidence,
    Ground,
    Leave,
    Refusal,
    Seal,
    Signed,
    Vote,
)

RECALLS: Final = Rate(at_once=4, each=10_000)
"""Evidence over entries far below that is judged for a seat. The states there are made again for
it, which takes seconds in a long game; so who speaks of the past again and again has to wait, and
nobody else does. A vote without such grounds is kept, and comes with them in the next round."""

# Replay.


def judge_content(draft: Draft, base: ChainEntry, content: Content) -> None:
    """Replay an authored content and file what it comes to, or refuse it."""
    try:
        followed = follow(base, content, ())
    except PeerError as refused:
        draft.open_at(base).refused[content.id] = refused.slug
        for seal in draft.desk_at(base).seals.get(content.id, {}).values():
            blame_sealer(draft, base, seal)
        refuse(draft, base, content.id, refused.slug, ())
        _judge_refusals_of(draft, base, content.id)
        return
    draft.open_at(base).followed[content.id] = followed
    _judge_refusals_of(draft, base, content.id)
    complete(draft, base, content.id)


def judge_contributions(draft: Draft, base: ChainEntry) -> None:
    """Judge every contribution that can be judged now; then settle the step if it is whole."""
    is_new = True
    while is_new:
        is_new = False
        for one in tuple(draft.desk_at(base).contributions.values()):
            try:
                chain = _judged_below(draft, base, one)
                if chain is None:
                    continue
                judge_contribution(base, one, chain)
            except PeerError as refused:
                _refuse_contribution(draft, base, one, refused.slug)
            else:
                draft.open_at(base).judged = draft.desk_at(base).judged | {one.id}
            _judge_refusals_of(draft, base, one.id)
            is_new = True
    settle(draft, base)


def settle(draft: Draft, base: ChainEntry) -> Followed | None:
    """Return the content of the due step over a base once all that is owed was judged good."""
    desk = draft.desk_at(base)
    whole = desk.whole_set(base)
    if whole is None:
        return None
    wanted = tuple((one.seat, one.id) for one in whole)
    for followed in desk.followed.values():
        content = followed.content
        if isinstance(content.step, DueStep) and content.contributions == wanted:
            return followed
    followed = settled(base, whole)
    desk = draft.open_at(base)
    desk.contents[followed.content.id] = followed.content
    desk.followed[followed.content.id] = followed
    complete(draft, base, followed.content.id)
    return followed


def _judged_below(
    draft: Draft, base: ChainEntry, one: Contribution
) -> tuple[Contribution, ...] | None:
    """Return what a contribution builds on, once all of that is good; None if it is judged too."""
    desk = draft.desk_at(base)
    if one.id in desk.judged or one.id in desk.refused:
        return None
    chain = chain_of(base, one, desk.contributions.get)
    if chain is None or any(before.id not in desk.judged for before in chain):
        return None
    return chain


def _refuse_contribution(draft: Draft, base: ChainEntry, one: Contribution, slug: str) -> None:
    desk = draft.desk_at(base)
    draft.open_at(base).refused[one.id] = slug
    earlier = built_on(base, one, desk.contributions)
    draft.prove(Evidence("E5", one.seat, (one, *earlier)))
    refuse(draft, base, one.id, slug, tuple(before.id for before in earlier))


def refuse(
    draft: Draft, base: ChainEntry, refused: bytes, reason: str, over: tuple[bytes, ...]
) -> None:
    """Sign and send a refusal of something over the tip."""
    seat = draft.fixed.seat
    if base is not draft.tip or not draft.may_sign or refused in draft.own.refusals:
        return
    assert seat is not None, "only a seat may sign"
    place = (base.table, base.moment().height, base.id)
    made = draft.sign(Refusal(*place, refused, reason, over, seat, b""))
    draft.own = replace(draft.own, refusals=put(draft.own.refusals, refused, made))
    draft.open_desk().refusals[seat, refused] = made
    draft.persist(Refused(made))
    draft.send(Refused(made))


def blame_sealer(draft: Draft, base: ChainEntry, seal: Seal) -> None:
    """A seal on a content that replay refuses: E5 for its author, E6 for everybody else."""
    content = draft.desk_at(base).contents.get(seal.entry)
    if content is None:
        return  # it names a refused contribution, which is no content
    draft.prove(against_sealer(content, seal))


def judge_refusal(draft: Draft, base: ChainEntry, refusal: Refusal) -> None:
    """A refusal whose reason replay shows to be false: E6; what is not known is not judged."""
    desk = draft.desk_at(base)
    is_judged = refusal.refused in desk.judged or refusal.refused in desk.followed
    reason = desk.refused.get(refusal.refused)
    if refusal.seat == draft.fixed.seat or not (is_judged or reason is not None):
        return
    if reason == refusal.reason:
        return
    one = desk.contributions.get(refusal.refused)
    if one is not None:
        earlier = built_on(base, one, desk.contributions)
        draft.prove(Evidence("E6", refusal.seat, (refusal, one, *earlier)))
    else:
        name = EntryId(refusal.refused)
        given = desk.followed[name].contributions if name in desk.followed else ()
        draft.prove(Evidence("E6", refusal.seat, (refusal, *given), (desk.contents[name],)))


def _judge_refusals_of(draft: Draft, base: ChainEntry, refused: bytes) -> None:
    for (_, name), refusal in tuple(draft.desk_at(base).refusals.items()):
        if name == refused:
            judge_refusal(draft, base, refusal)


# What messages make complete.


def complete(draft: Draft, base: ChainEntry, entry: bytes) -> None:
    """File an entry as complete once every seat of the roster has sealed it."""
    desk = draft.desk_at(base)
    followed = desk.followed.get(EntryId(entry))
    if followed is None or 0 in desk.results.get(followed.content.id, {}):
        return
    seals = desk.seals.get(followed.content.id, {})
    certificate = complete_by_seals(base, followed.content, seals)
    if certificate is not None:
        _file(draft, base, followed, certificate)


def complete_round(draft: Draft, base: ChainEntry, number: int) -> None:
    """File what the votes of a round make complete."""
    desk = draft.desk_at(base)
    votes = desk.votes.get(number, {})
    kept = kept_in(base, number, votes)
    if kept is not None and kept[0] in desk.followed:
        _file(draft, base, desk.followed[kept[0]], kept[1])
    grounds: dict[Seat, Ground] = {**draft.proven, **draft.leaves}
    out = evicted_in(base, votes, grounds)
    if out is not None:
        seats, cast, needed = out
        followed = eviction(base, number, seats)
        certificate = Certificate(followed.content.id, number, votes=cast, grounds=needed)
        _file(draft, base, followed, certificate)


def _file(draft: Draft, base: ChainEntry, followed: Followed, certificate: Certificate) -> None:
    if certificate.rank not in draft.desk_at(base).results.get(followed.content.id, {}):
        draft.keep_certificate(certificate)
        draft.open_at(base).file_result(followed, certificate)


# Comparing.


def compare(draft: Draft, signed: Signed) -> None:
    """Compare a message with everything else of its seat that could contradict it."""
    seat = signed.seat
    if seat == draft.fixed.seat or seat in draft.proven:
        return
    leave = draft.leaves.get(seat)
    if leave is not None and signed is not leave:
        compare_two(draft, leave, signed)
    if isinstance(signed, Contribution):
        _compare_bindings(draft, signed)
    for other in draft.aside_of(seat):
        compare_two(draft, signed, other)
    if not draft.past.votes and not draft.desk.votes and not isinstance(signed, Leave):
        return
    held = (*everything_of(draft.desk, seat), *everything_of(draft.past, seat))
    # Who only reads keeps votes of any round; the last ones are enough to follow it.
    for other in held[-ROUNDS_MAX:] if draft.fixed.seat is None else held:
        if other is not signed:
            compare_two(draft, signed, other)


def compare_two(draft: Draft, one: Signed, other: Signed) -> None:
    """Remember what two messages of one seat prove."""
    if one.seat == draft.fixed.seat or one.seat in draft.proven:
        return
    contents = [*draft.past.contents.values(), *draft.desk.contents.values()]
    if draft.tip.content is not None:
        contents.append(draft.tip.content)
    draft.prove(between(one, other, contents))


def _compare_bindings(draft: Draft, one: Contribution) -> None:
    labels = _binding_labels(draft)
    if not labels:
        return
    for desk in (draft.past, draft.desk):
        for other in desk.contributions.values():
            if other.seat == one.seat and other.id != one.id:
                draft.prove(two_bindings(other, one, labels))
    for label, _ in one.payloads:
        if label in labels:
            before = draft.bound.get((one.seat, label))
            if before is None:
                draft.bound = put(draft.bound, (one.seat, label), one)
            else:
                draft.prove(two_bindings(before, one, labels))


def _binding_labels(draft: Draft, *contributions: Signed) -> frozenset[bytes]:
    """Return the binding labels over the tip, its parent, and what contributions name."""
    parents = [one.parent for one in contributions if isinstance(one, Contribution)]
    links = (draft.tip, draft.tip.below, *map(draft.link_of, parents))
    return binding_in(link for link in links if link is not None)


def recognise(draft: Draft, signed: Contribution | Seal | Vote) -> None:
    """Notice a signature of this seat that its journal lacks."""
    if signed.seat != draft.fixed.seat or is_own(draft, signed):
        return
    adopt(draft, signed)
    draft.begin_suspicion()


def is_own(draft: Draft, signed: Contribution | Seal | Vote) -> bool:
    """Say whether this seat remembers that it has signed this."""
    own = draft.own
    match signed:
        case Seal():
            seal = own.seals.get(signed.parent)
            return seal is not None and seal.entry == signed.entry
        case Contribution():
            one = own.contributions.get(signed.parent)
            return one is not None and one.id == signed.id
        case _:
            votes = own.votes.get(signed.height, ())
            return any(vote.body() == signed.body() for vote in votes)


def adopt(draft: Draft, signed: Contribution | Seal | Vote) -> None:
    """Remember a signature as one's own, and store it."""
    remember(draft, signed)
    draft.persist(alone(signed))


def remember(draft: Draft, signed: Contribution | Seal | Vote) -> None:
    """Add a signature to what this seat has signed."""
    own, height = draft.own, max(draft.own.height, signed.height)
    match signed:
        case Seal():
            seals = put(own.seals, signed.parent, signed)
            draft.own = replace(own, height=height, seals=seals)
        case Contribution():
            bound = {**dict(signed.payloads), **own.bound}
            made = put(own.contributions, signed.parent, signed)
            draft.own = replace(own, height=height, contributions=made, bound=bound)
        case _:
            cast = (*own.votes.get(signed.height, ()), signed)
            ordered = tuple(sorted(cast, key=lambda vote: vote.round))
            draft.own = replace(own, height=height, votes=put(own.votes, signed.height, ordered))


# Evidence and grounds of others.


def check_ground(draft: Draft, ground: Ground) -> None:
    """Raise unless a ground for leaving a seat out holds."""
    if isinstance(ground, Leave):
        draft.check(ground)
    elif draft.proven.get(ground.seat) != ground:
        if any(signed.table != draft.fixed.charter.table for signed in ground.messages):
            raise PeerError(Reason.LEDGER_OTHER_TABLE)
        labels = _binding_labels(draft, *ground.messages)
        judge(ground, draft.fixed.checker, partial(replayed, partial(_base_of, draft)), labels)


def _base_of(draft: Draft, entry: EntryId) -> ChainEntry | None:
    """Return the link over which evidence is replayed; one far below costs whoever asks for it."""
    link, sender = draft.tip.find(entry), draft.sender
    if link is None or sender is None or link.height > draft.tip.height - NEAR_MAX:
        return link
    paid = draft.recalls.get(sender, 0)
    if not RECALLS.is_free(paid, draft.now):
        raise PeerError(Reason.LEDGER_UNKNOWN_PARENT, "evidence far behind, again and again")
    draft.recalls = put(draft.recalls, sender, RECALLS.after(paid, draft.now))
    return link
