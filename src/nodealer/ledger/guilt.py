"""The guilt of what replay refuses: the same answer for a live table and for a file.

A verdict about a seat rests only on what that seat has signed, looked at in the place for which it
was signed, and on contents that were replayed. So whoever finds that replay refuses something
asks here for the evidence against whoever signed it, and judges that evidence as a stranger does:

    a contribution      over its own parent, over exactly what it names; where some of that is
                        missing, nobody knows whether it is good, and nobody is guilty
    a seal              on a content that replay refuses over the parent of the seal, with all
                        contributions that the content names
    a refusal           whose reason is not that of replay, over the parent of the refusal
    a vote              by its own fields, over its own base

What lies beside, what somebody has put together, and what is missing are never anybody's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from nodealer.kernel import EntryId, PeerError, Reason
from nodealer.ledger.chain import ChainEntry, chain_of, follow, judge_contribution
from nodealer.ledger.evidence import broken_vote
from nodealer.ledger.objects import (
    AuthoredStep,
    Content,
    Contribution,
    DueStep,
    Evidence,
    Refusal,
    Seal,
    Signed,
    Vote,
    over,
)

# Evidence against whoever has signed it.


def against_sealer(content: Content, seal: Seal, given: Iterable[Contribution] = ()) -> Evidence:
    """Return the evidence of a seal on a content that replay refuses, with its contributions."""
    step = content.step
    is_author = isinstance(step, AuthoredStep) and step.seat == seal.seat
    return Evidence("E5" if is_author else "E6", seal.seat, (seal, *given), (content,))


def built_on(
    base: ChainEntry, one: Contribution, known: Mapping[bytes, Contribution]
) -> tuple[Contribution, ...]:
    """Return the contributions that replay looks at to judge `one`, in the order of their seats.

    Whoever signed `one` may have named any others beside them; these prove nothing.
    """
    found: dict[bytes, Contribution] = {}
    wanted = [one]
    while wanted:
        current = wanted.pop()
        for before, name in zip(base.predecessors(current.seat), current.on, strict=False):
            if name in known and name not in found:
                found[name] = known[name]
                if known[name].seat == before:
                    wanted.append(known[name])
    return tuple(sorted(found.values(), key=lambda earlier: earlier.seat))


# What replay says of it.


def replayed(find: Callable[[EntryId], ChainEntry | None], evidence: Evidence) -> str | None:
    """Return for what reason replay refuses the accused object; None if it does not.

    `find` returns the link of an entry of the history that is judged by, with the state after it.
    Raises `PeerError` where what the accused object rests on is missing: then nothing is shown.
    """
    accused = evidence.messages[0]
    parent = over(accused)
    if parent is None:
        raise PeerError(Reason.LEDGER_EVIDENCE, "a leave is not replayed")
    base = find(parent)
    if base is None:
        raise PeerError(Reason.LEDGER_UNKNOWN_PARENT, "evidence over an entry not known here")
    try:
        is_whole = _replay(base, accused, evidence)
    except PeerError as refused:
        return refused.slug
    if not is_whole:
        raise PeerError(Reason.LEDGER_EVIDENCE, "without what it speaks of")
    return None


def _replay(base: ChainEntry, accused: Signed, evidence: Evidence) -> bool:
    """Replay the accused object; False if what it rests on is not part of the evidence."""
    rest = {one.id: one for one in evidence.messages[1:] if isinstance(one, Contribution)}
    contents = {bytes(content.id): content for content in evidence.contents}
    match accused:
        case Vote():
            if broken_vote(accused, base.roster) is not None:
                raise PeerError(Reason.LEDGER_VOTE)
            return True
        case Contribution():
            return _replay_contribution(base, accused, rest)
        case Seal(entry=name) | Refusal(refused=name) if name in contents:
            return _replay_content(base, contents[name], rest)
        case Refusal(refused=name) if name in rest:
            return _replay_contribution(base, rest[name], rest)
        case _:
            return False


def _replay_content(base: ChainEntry, content: Content, rest: Mapping[bytes, Contribution]) -> bool:
    given: list[Contribution] = []
    if isinstance(content.step, DueStep):
        given = [rest[name] for _, name in content.contributions if name in rest]
        if len(given) != len(content.contributions):
            return False
    follow(base, content, given)
    return True


def _replay_contribution(
    base: ChainEntry, one: Contribution, rest: Mapping[bytes, Contribution]
) -> bool:
    chain = chain_of(base, one, rest.get)
    if chain is None:
        return False
    judge_contribution(base, one, chain)
    return True


def binding_in(links: Iterable[ChainEntry]) -> frozenset[bytes]:
    """Return the labels under which a seat has one payload, whatever the parent.

    Which labels bind is what replay says is due, never what an entry says by itself: whoever makes
    up an entry could make up a label that binds.
    """
    return frozenset(part.label for link in links for part in link.parts if part.binding)
