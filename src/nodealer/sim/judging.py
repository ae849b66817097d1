"""The verdicts on a simulated table: every honest seat's transcript goes before the offline judge.

The judge gets bytes and nothing else, as from a file. Seats that hold the same bytes are judged
once. What it says must be what the scenario predicts (`expectations`).
"""

from __future__ import annotations

from nodealer.games import AnyGame
from nodealer.kernel import Bug, Reason
from nodealer.sim.expectations import prospect_of
from nodealer.sim.invariants import Findings
from nodealer.sim.peer import Peer
from nodealer.sim.world import World
from nodealer.verify import Report, judge_bytes, transcript_of


class Judge:
    """The offline judge, and what it has said of which bytes."""

    def __init__(self, world: World) -> None:
        self._game = world.setting.game
        self._said: dict[bytes, Report] = {}

    def report(self, transcript: bytes) -> Report:
        """Return what the judge says of a transcript."""
        if transcript not in self._said:
            self._said[transcript] = judge_bytes(transcript, find_game=self._find).report
        return self._said[transcript]

    def _find(self, game_id: str, version: int) -> AnyGame:
        if (game_id, version) != (self._game.id, self._game.version):
            raise Bug(Reason.LOCAL_ARGUMENT, f"a table of {self._game.id} says {game_id} {version}")
        return self._game


def transcript_of_peer(peer: Peer) -> bytes:
    """Return the transcript of a seat that is there."""
    assert peer.table is not None, "it is there"
    return transcript_of(peer.table.ledger)


def require_verdicts(world: World, judge: Judge, findings: Findings) -> None:
    """Note every transcript of an honest seat of which the judge says something unexpected."""
    for peer in world.honest:
        report = judge.report(transcript_of_peer(peer))
        for fault in prospect_of(world, peer).faults_of(report):
            findings.note("verdict as predicted", f"seat {peer.seat}: {fault}")
