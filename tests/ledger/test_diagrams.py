"""The two diagrams from which the project started, walked node by node over real ledgers.

The page of the ledger shows both, and says for each node by which event of the ledger it is come
to. Here real seats play, every event is noted as the node that it belongs to, and what was walked
must be the arrows of the page: every one, and no other.
"""

from __future__ import annotations

import re
from itertools import pairwise

from nodealer.kernel import Seat
from nodealer.ledger import AskAction, AskContribution, LedgerMessage
from nodealer.ledger.messages import Contributed, Proposal, Refused, Sealed
from nodealer.ledger.ready import Took
from tests.ledger.forge import Forger
from tests.ledger.telling import opened
from tests.ledger.toy import BAD
from tests.ledger.world import World
from tests.specs.pages import SPECS

ARROW = re.compile(r"(\w[\w-]*)(?:\(\([^)]*\)\)|\[[^\]]*\])?-->(?=(\w[\w-]*))")


def arrows(place: int) -> set[tuple[str, str]]:
    """Return the arrows of one of the diagrams at the end of the ledger's page."""
    page = (SPECS / "04-ledger.md").read_text(encoding="utf-8")
    section = page[page.index("## The two first diagrams") :]
    return set(ARROW.findall(section.split("```mermaid")[place + 1].split("```")[0]))


# How a game comes to its first move.


def walked_to_the_first_move() -> list[str]:
    """Play until somebody is on turn, and return the nodes in the order in which they came."""
    world = opened(("keys", "shuffle", "mask", "release", "turn"))
    nodes = ["SHUFFLE-MASK"]
    for _ in range(20):
        for seat in sorted(world.ledgers):
            if not (asked := world.ledgers[seat].asked):
                continue
            if isinstance(asked[0], AskAction):
                return [*nodes, "game"]
            assert isinstance(asked[0], AskContribution)
            nodes += arrived(asked[0], nodes[-1])
            world.answer(seat)
        world.settle()
    return nodes


def arrived(asked: AskContribution, before: str) -> list[str]:
    """Return the nodes that a seat comes to when it contributes what it is asked for."""
    node = {"keys": "keys", "shuffle": "shuffle", "mask": "mask", "release": "keyShare"}[
        asked.parts[0].kind
    ]
    if node == "keyShare" and before == "mask":
        # The masks are in the chain: the deal. What is due next follows from it for every slot.
        return ["DEAL", "cardIndex", node]
    # Keys and shares go out all at once; the diagram has one node for all seats.
    return [] if node == before and node in ("keys", "keyShare") else [node]


def test_the_way_to_the_first_move_is_the_first_diagram() -> None:
    walked = walked_to_the_first_move()
    assert walked[0] == "SHUFFLE-MASK"
    assert walked[-1] == "game"
    assert walked.count("shuffle") == walked.count("mask") == 3
    assert set(pairwise(walked)) == arrows(0)


# How one transition is signed.


def signed(world: World, proposal: Proposal | None) -> list[list[str]]:
    """Let one transition be signed, and return for every receiving seat the nodes it came to."""
    walks: dict[Seat, list[str]] = {}
    if proposal is None:
        ledger, ready = world.ledgers[Seat(0)].propose(b"x")
        made = [m.message for m in ready.send if isinstance(m.message, Proposal)]
        assert len(made) == 1
        proposal = made[0]
        world.take(Seat(0), (ledger, ready))
        world.wires.clear()
    for seat in (Seat(1), Seat(2), Seat(3)):
        walks[seat] = ["proposalCreate", "proposalBroadcast", "proposalReceive"]
        ledger, ready = world.ledgers[seat].receive(proposal, Seat(0))
        walks[seat] += [node for message in ready.persist for node in judged(message, seat)]
        world.take(seat, (ledger, ready))
    world.settle()
    for seat, walk in walks.items():
        if [event for by, event in world.shown if by == seat and isinstance(event, Took)]:
            walk.append("refresh")
        if any(isinstance(one, AskAction) for one in world.ledgers[seat].asked):
            walk.append("proposalCreate")
    return list(walks.values())


def judged(message: LedgerMessage, seat: Seat) -> list[str]:
    match message:
        case Sealed(seal=seal) if seal.seat == seat:
            return ["proposalSign"]
        case Refused(refusal=refusal) if refusal.seat == seat:
            return ["proposalReject"]
        case _:
            return []


def test_how_a_transition_is_signed_is_the_second_diagram() -> None:
    world = opened(("turn", "turn", "close"), 4)
    good = signed(world, None)
    assert good[0] == [
        "proposalCreate",
        "proposalBroadcast",
        "proposalReceive",
        "proposalSign",
        "refresh",
        "proposalCreate",
    ]
    other = opened(("turn", "turn", "close"), 4)
    other.gone.add(Seat(0))
    author = Forger(other, 0)
    bad = signed(other, author.bad_proposal(other.ledgers[Seat(1)].tip, BAD))
    assert all("proposalReject" in walk and walk[-2:] != ["x"] for walk in bad)
    assert bad[0][-2:] == ["refresh", "proposalCreate"]
    walked = {pair for walk in (*good, *bad) for pair in pairwise(walk)}
    assert walked == arrows(1)


def test_what_is_refused_leaves_the_chain_as_it_was_but_for_its_author() -> None:
    world = opened(("turn", "turn", "close"), 4)
    world.gone.add(Seat(0))
    author = Forger(world, 0)
    signed(world, author.bad_proposal(world.ledgers[Seat(1)].tip, BAD))
    assert world.log(1) == ("out [0]",)
    assert not [m for m in world.journals[Seat(1)] if isinstance(m, Contributed)]
