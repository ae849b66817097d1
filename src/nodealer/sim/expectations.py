"""The expectations of a table, read from who is there and not from what its ledgers say.

Nobody has to rely on a seat that breaks the rules. So a table can go on if the honest seats that
are there are all that it needs. The charter needs the seals of everybody. Later it is everybody, or
a majority of those who decided when the last entry was completed. All but seats that have left or
are proven false are enough too, if they are of one mind already; where they are not, only a
majority brings them together. If the table can go on, everybody who is there comes to the close. If
it cannot, it stands still for good.

    what became of the seat            verdict on its transcript    may be awaited
    it has the close                   complete                     nobody
    the others have left it out        unfinished                   whoever was, when it was
    the table cannot go on             unfinished                   seats that are not there
    and its seats stand apart          unfinished                   anybody, itself for a vote

Whatever the verdict, evidence names liars alone. In a game in which nothing else goes wrong it does
so only by the codes of what they do. Where other faults lead to rounds, what a liar signs in those
may contradict its lie in other ways, and any code will do; but never one against a liar whose ways
leave no proof.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from nodealer.kernel import Seat
from nodealer.sim.lying import Liar
from nodealer.sim.peer import Peer
from nodealer.sim.world import World
from nodealer.verify import Report, Verdict

CODES: Final = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")


@dataclass(frozen=True, slots=True)
class Prospect:
    """The verdict that the judge must find, for whom it may wait, whom it may name and how."""

    verdict: Verdict
    awaited: frozenset[Seat]
    codes: Mapping[Seat, tuple[str, ...]]
    must_wait: bool = True
    """Whether an unfinished table waits for somebody. A seat that was left out may hold all seals
    of the next entry, which it may not take."""

    def faults_of(self, report: Report) -> tuple[str, ...]:
        """Return in what a report differs from this."""
        found = []
        if report.verdict is not self.verdict:
            why = "" if report.failure is None else f": {report.failure.found}"
            found.append(f"{report.verdict.value}, and should be {self.verdict.value}{why}")
        awaited = {seat for seat, _ in report.awaited}
        if not awaited <= self.awaited:
            found.append(f"waits for {sorted(awaited)}, and not only for {sorted(self.awaited)}")
        is_stuck = self.verdict is Verdict.UNFINISHED and not (awaited or report.cheats)
        if self.awaited and self.must_wait and is_stuck:
            found.append("is unfinished, and waits for nobody")
        unexpected = (one for one in report.cheats if one.code not in self.codes.get(one.seat, ()))
        found.extend(f"names seat {one.seat} by {one.code}" for one in unexpected)
        return tuple(found)


def prospect_of(world: World, peer: Peer) -> Prospect:
    """Return what is to be expected of the transcript of an honest seat that is there."""
    assert peer.table is not None, "it is there"
    codes = {seat: _codes(world, liar) for seat, liar in world.liars.items() if liar.strikes}
    if peer.table.position.is_closed:
        return Prospect(Verdict.COMPLETE, frozenset(), codes)
    if peer.is_left_out:
        return Prospect(Verdict.UNFINISHED, frozenset(world.peers), codes, must_wait=False)
    if can_go_on(world, peer):
        return Prospect(Verdict.COMPLETE, frozenset(), codes)
    roster = frozenset(peer.table.position.roster)
    # Seats that stand apart go on voting, round after round, and each waits for the others in turn.
    awaited = roster - there(world) if is_of_one_mind(world) else roster
    return Prospect(Verdict.UNFINISHED, awaited, codes)


def can_go_on(world: World, peer: Peer) -> bool:
    """Say whether the honest seats that are there are all that the table of a seat needs."""
    assert peer.table is not None, "it is there"
    tip, read = peer.table.ledger.tip, peer.table.ledger.reading()
    roster = set(read.roster)
    missing = roster - there(world)
    if not read.is_founded:
        return not missing
    # Directly after an eviction the majority still counts those that were left out.
    is_majority = tip.is_majority(len(roster - missing))
    is_rid_of_them = missing <= {*read.proven, *read.left} and is_of_one_mind(world)
    return not missing or is_majority or is_rid_of_them


def is_of_one_mind(world: World) -> bool:
    """Say whether the honest seats that are there stand at the same entry."""
    tips = {
        peer.table.ledger.tip.id
        for peer in world.honest
        if peer.table is not None and not peer.is_left_out
    }
    return len(tips) <= 1


def there(world: World) -> frozenset[Seat]:
    """Return the honest seats that are there, were not left out, and sign.

    A seat with an old journal signs nothing before all others have told it what it had signed. If
    one of them never will, because it is gone or breaks the rules, it is as good as gone itself.
    """
    answering = {one.seat for one in world.honest if not one.is_left_out}
    kept = {seat for seat in answering if _is_kept_from_signing(world, seat, answering)}
    return frozenset(answering - kept)


def _is_kept_from_signing(world: World, seat: Seat, answering: Collection[Seat]) -> bool:
    table = world.peers[seat].table
    unheard = None if table is None else table.ledger.reading().unheard
    return unheard is not None and not set(unheard) <= set(answering)


def _codes(world: World, liar: Liar) -> tuple[str, ...]:
    behaviour = liar.behaviour
    return CODES if behaviour.codes and world.plan.is_more_than_lies else behaviour.codes
