"""The measured table plays real transitions; how fast is for the benchmark to say."""

from __future__ import annotations

from nodealer.kernel import Seat
from nodealer.lab.benches.bench_ledger import Counter, Peers, signatures, transition_over_signatures


def test_all_peers_take_every_transition() -> None:
    peers = Peers(3)
    for _ in range(4):
        peers.transition()
    assert {ledger.tip.height for ledger in peers.ledgers} == {4}
    assert len({ledger.tip.id for ledger in peers.ledgers}) == 1
    assert peers.ledgers[0].tip.state == Counter(3, 4)
    assert not any(ledger.counts for ledger in peers.ledgers)


def test_every_seat_has_its_turn() -> None:
    peers = Peers(2)
    authors = []
    for _ in range(4):
        peers.transition()
        content = peers.ledgers[0].tip.content
        assert content is not None
        authors.append(getattr(content.step, "seat", None))
    assert authors == [Seat(0), Seat(1), Seat(0), Seat(1)]


def test_the_quotient_is_a_number_above_one() -> None:
    signatures(Peers(2).keys)
    assert transition_over_signatures(seats=2, rounds=1) > 1
