"""A selfish seat says what it has to say itself, and hands on nothing of the others."""

from __future__ import annotations

from nodealer.ledger import write
from nodealer.ledger.catch_up import entry_message
from nodealer.ledger.messages import Sealed
from nodealer.ledger.ready import Outgoing
from tests.sim.games import lied, named


def test_what_others_have_signed_is_not_handed_on() -> None:
    outcome = lied(named("handing nothing on"), 2)
    (liar,) = outcome.world.liars.values()
    link = next(one for one in outcome.tip.downwards() if len(one.certificate.seals) > 1)
    for seal in link.certificate.seals:
        message = Sealed(seal)
        passed = liar.leaving(Outgoing(message))
        assert passed == ([(None, write(message))] if seal.seat == liar.seat else [])
    assert liar.leaving(Outgoing(entry_message(outcome.tip))) == []
