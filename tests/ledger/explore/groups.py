"""Which messages a seat has to hold together, so that it stores something.

A seat stores its seal when it knows one content, and takes an entry when all that makes this one
complete is here. So what is told to it is tried group by group, and of each group all sets:

    of the step over the tip    what speaks of one entry: the proposal or the contributions of it,
                                and the seals on it
    of rounds                   the votes of one round for one choice; with a `keep` also the entry,
                                one vote that asks for the answer which makes the round complete,
                                and one of the next round, which is answered in the same breath
                                below the tip this is tried a second time with what shows that
                                others hold the tip: who was seen to hold it is not answered
    entries                     each alone, and each with each vote over the same base: an answer
                                names the best entry that is known

Messages of two groups decide nothing together, if they do not prove somebody false:

- A content is made of one proposal, or of one contribution of each seat. A second one of a seat is
  evidence. A seal counts for its own entry only.
- What a round comes to needs the votes for that alone. Who holds two results takes the better one,
  which it also takes if it holds no other; the less it knows, the more it may vote (rule 3).
- A seat answers a vote below its tip with the best result that it knows there. It knows one at a
  time here, whichever; a better one that it may take, it has taken.
- Answers to two votes at once differ from one after the other only where the first answer makes a
  round complete: hence the groups of a `keep` with two votes more. This holds for rounds up to two.

What proves somebody false is tried as well (`proofs`): two votes of one round, for each seat that
can sign two, and for several such seats together. Any proof has the same effect on its holder: it
votes at once, and the proof lies beside the vote. Where a visit ends with a proof that is stored,
proofs need not be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, product

from nodealer.kernel import Seat
from nodealer.ledger import Contribution, Entry, Ledger, LedgerMessage, Vote
from nodealer.ledger.chain import settled
from nodealer.ledger.messages import Contributed, Left, Proposal, Sealed, signed_of
from nodealer.ledger.objects import Keep

Group = tuple[int, ...]


def groups(
    messages: Mapping[int, LedgerMessage], ledger: Ledger, *, has_proofs: bool = True
) -> list[Group]:
    """Sort the messages that may be told to a seat into groups."""
    gone = [n for n, message in messages.items() if isinstance(message, Left)]
    found = [*_of_step(messages, ledger), *_of_rounds(messages, ledger)]
    found += [*_of_entries(messages), *(_proofs(messages) if has_proofs else ())]
    return list(dict.fromkeys((*group, *gone) for group in found)) or [tuple(gone)]


def _of_step(messages: Mapping[int, LedgerMessage], ledger: Ledger) -> Iterator[Group]:
    tip, about = ledger.tip, dict[bytes, list[int]]()
    given: dict[Seat, dict[bytes, Contribution]] = {seat: {} for seat in tip.owing()}
    for number, message in messages.items():
        match message:
            case Proposal(seal=seal) | Sealed(seal=seal) if seal.parent == tip.id:
                about.setdefault(seal.entry, []).append(number)
            case Contributed(contribution=one) if one.parent == tip.id:
                given[one.seat][one.id] = one
            case _:
                pass
    numbers = {m.contribution.id: n for n, m in messages.items() if isinstance(m, Contributed)}
    own = ledger.own.contributions.get(tip.id)
    if own is not None:
        given[own.seat] = {own.id: own}
    for whole in product(*(by_id.values() for by_id in given.values())) if tip.parts else ():
        entry = settled(tip, whole).content.id
        named = (numbers[one.id] for one in whole if one.id in numbers)
        yield (*named, *about.pop(entry, ()))
    yield from map(tuple, about.values())


def _of_rounds(messages: Mapping[int, LedgerMessage], ledger: Ledger) -> Iterator[Group]:
    placing = _placing(messages, ledger)
    alike: dict[tuple[bytes, int, object], list[int]] = {}
    for number, vote in _votes(messages):
        said = vote.choice.entry if isinstance(vote.choice, Keep) else vote.choice.seats
        alike.setdefault((vote.base, vote.round, said), []).append(number)
    for (base, number, choice), numbers in alike.items():
        kept = [n for n, entry in _entries(messages) if entry.content.id == choice]
        yield (*numbers, *kept)
        if isinstance(choice, bytes):
            votes = [(n, vote) for n, vote in _votes(messages) if vote.base == base]
            same = [n for n, vote in votes if vote.round == number and n not in numbers]
            later = [n for n, vote in votes if vote.round > number]
            for asking, next_one in product([None, *same], [None, *later]):
                more = (n for n in (asking, next_one) if n is not None)
                yield (*numbers, *kept, *more)
                if base != ledger.tip.id:
                    yield (*numbers, *kept, *more, *placing)


def _placing(messages: Mapping[int, LedgerMessage], ledger: Ledger) -> Group:
    """Return for each other seat a message that shows that it holds the tip."""
    first: dict[Seat, int] = {}
    for number, message in messages.items():
        match message:
            case Proposal(seal=one) | Sealed(seal=one) if one.parent == ledger.tip.id:
                first.setdefault(one.seat, number)
            case Contributed(contribution=given) if given.parent == ledger.tip.id:
                first.setdefault(given.seat, number)
            case _:
                pass
    return tuple(first.values())


def _of_entries(messages: Mapping[int, LedgerMessage]) -> Iterator[Group]:
    votes = list(_votes(messages))
    for number, entry in _entries(messages):
        yield (number,)
        for other, vote in votes:
            if vote.base == entry.content.parent:
                yield (number, other)


def _proofs(messages: Mapping[int, LedgerMessage]) -> Iterator[Group]:
    first: dict[tuple[Seat, bytes, int], int] = {}
    pairs: dict[Seat, Group] = {}
    for number, vote in _votes(messages):
        place = (vote.seat, bytes(vote.base), vote.round)
        before = first.setdefault(place, number)
        if before != number:
            pairs.setdefault(vote.seat, (before, number))
    for size in range(1, len(pairs) + 1):
        for some in combinations(pairs.values(), size):
            yield tuple(number for pair in some for number in pair)


def _votes(messages: Mapping[int, LedgerMessage]) -> Iterator[tuple[int, Vote]]:
    for number, message in messages.items():
        signed = signed_of(message)
        if isinstance(signed, Vote):
            yield number, signed


def _entries(messages: Mapping[int, LedgerMessage]) -> Iterable[tuple[int, Entry]]:
    return ((n, message) for n, message in messages.items() if isinstance(message, Entry))
