"""The tables of what is done: complete, drawn in the page, and each row of them comes to pass."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeAlias

import pytest

from nodealer.games.transitions import Transition
from nodealer.kernel import Reason, Seat
from nodealer.lobby import address_record, advice, hosting, visiting
from nodealer.lobby import messages as m
from nodealer.lobby.advice import ADVICE
from nodealer.lobby.messages import REFUSALS
from nodealer.lobby.moves import GUEST, HOST, GuestPhase, HostPhase, LobbyMove
from nodealer.lobby.ready import LobbyDropped
from nodealer.lobby.signed import UNSIGNED, signed_line
from tests.lobby.world import HOST as HOST_NAME
from tests.lobby.world import PROGRAM, World, accepted, gathered, key_of, signer_of
from tests.specs.pages import SPECS
from tests.support.diagrams import mermaid

PAGE = (SPECS / "10-lobby.md").read_text(encoding="utf-8")

Table: TypeAlias = Mapping[Any, Mapping[str, LobbyMove[Any]]]

TABLES: Mapping[str, Table] = {"host": HOST, "guest": GUEST}


def diagram(table: Table) -> str:
    """Return the diagram of a table, as the specs show it; what leads nowhere else is left out."""
    phases = list(table)
    arrows = [
        Transition(None, "opened", phases[0].value),
        *(
            Transition(phase.value, happening, after.value)
            for phase, moves in table.items()
            for happening, move in moves.items()
            for after in move.to
            if after is not phase
        ),
    ]
    return mermaid(arrows, [phase.value for phase in phases[-2:]])


def rows(table: Table) -> str:
    """Return a table for the specs: a line for each happening, a column for each phase."""
    happenings = dict.fromkeys(name for moves in table.values() for name in moves)
    head = f"| happening | {' | '.join(phase.value for phase in table)} |"
    lines: list[str] = [head, f"|---|{'---|' * len(table)}"]
    for happening in happenings:
        cells = (moves.get(happening) for moves in table.values())
        told = ["–" if move is None else move.does for move in cells]
        lines.append(f"| {happening} | {' | '.join(told)} |")
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("side", TABLES)
def test_the_page_shows_the_table_and_its_diagram(side: str) -> None:
    assert rows(TABLES[side]) in PAGE
    assert f"```mermaid\n{diagram(TABLES[side])}```" in PAGE


@pytest.mark.parametrize("side", TABLES)
def test_every_phase_has_its_rows(side: str) -> None:
    table = TABLES[side]
    phases: type[Enum] = type(next(iter(table)))
    assert set(table) == set(phases)
    for phase, moves in table.items():
        for happening, move in moves.items():
            assert set(move.to) <= set(table), (phase, happening)


MESSAGES = {kind.removeprefix("lobby/") for kind in m.KINDS}


def test_every_message_is_a_happening_of_the_side_that_gets_it() -> None:
    of_host, of_guest = (
        {name for moves in table.values() for name in moves} for table in TABLES.values()
    )
    assert MESSAGES & of_host == {
        "join",
        "left",
        "answer",
        "withdrawn",
        "address",
        "line",
        "pledge",
        "nonce",
    }
    assert MESSAGES & of_guest == {
        "offer",
        "progress",
        "complete",
        "refused",
        "address",
        "line",
        "drawing",
    }
    assert of_host | of_guest >= MESSAGES


def test_every_deed_of_a_message_is_done() -> None:
    for deeds, table in ((hosting._DEEDS, HOST), (visiting._DEEDS, GUEST)):
        done = {
            move.does
            for moves in table.values()
            for happening, move in moves.items()
            if happening in MESSAGES
        }
        assert done == set(deeds)


def test_nothing_follows_the_end() -> None:
    assert all(move.to == (phase,) for phase in list(HOST)[-2:] for move in HOST[phase].values())
    assert set(GUEST[list(GUEST)[-1]]) == {"linked", "again"}


def test_whoever_is_refused_is_told_what_to_do() -> None:
    assert {*REFUSALS, Reason.LOBBY_OFFER} <= set(ADVICE)
    assert all(advice(reason) == text for reason, text in ADVICE.items())
    assert advice(Reason.PROOF_KEY) == ""


def hosts() -> dict[str, World]:
    """Return a lobby for each phase of a host, with Ben in it."""
    made = {
        "gathering": gathered("ben", seats=3),
        "offering": gathered("ben"),
        "ready": accepted("ben"),
        "founded": accepted("ben"),
        "closed": gathered("ben"),
    }
    made["founded"].do(HOST_NAME, lambda: hosting.start(made["founded"].host))
    made["closed"].do(HOST_NAME, lambda: hosting.leave(made["closed"].host))
    return made


def guests() -> dict[str, World]:
    """Return a lobby for each phase of a guest, which is Ben."""
    made = {
        "knocking": World(),
        "waiting": gathered("ben", seats=3),
        "asked": gathered("ben"),
        "accepted": accepted("ben"),
        "founded": accepted("ben"),
        "out": gathered("ben"),
    }
    made["knocking"].comes("ben")
    founded, out = made["founded"], made["out"]
    founded.do(HOST_NAME, lambda: hosting.start(founded.host))
    founded.settle()
    out.do("ben", lambda: visiting.leave(out.guest("ben")))
    return made


@pytest.mark.parametrize("phase", HOST, ids=lambda phase: phase.value)
def test_a_host_drops_every_message_that_has_no_row(phase: HostPhase) -> None:
    world = hosts()[phase.value]
    assert world.phase(HOST_NAME) == phase.value
    for message in every_message(world):
        happening = m.happening_of(message)
        after, ready = hosting.receive(world.host, message, world.peer("ben"))
        dropped = [one.slug for one in ready.show if isinstance(one, LobbyDropped)]
        assert ("lobby/unexpected" in dropped) == (
            happening not in HOST[phase] or is_repeated(world, message)
        )
        move = HOST[phase].get(happening)
        assert after.phase in ((phase,) if move is None else move.to)


def is_repeated(world: World, message: m.LobbyMessage) -> bool:
    """Return whether a host has heard a message before and answers it once."""
    return isinstance(message, m.Join) and world.phase(HOST_NAME) != "closed"


@pytest.mark.parametrize("phase", GUEST, ids=lambda phase: phase.value)
def test_a_guest_drops_every_message_that_has_no_row(phase: GuestPhase) -> None:
    world = guests()[phase.value]
    assert world.phase("ben") == phase.value
    for message in every_message(world):
        happening = m.happening_of(message)
        after, ready = visiting.receive(world.guest("ben"), message, key_of(HOST_NAME))
        dropped = [one.slug for one in ready.show if isinstance(one, LobbyDropped)]
        assert ("lobby/unexpected" in dropped) == (happening not in GUEST[phase])
        move = GUEST[phase].get(happening)
        assert after.phase in ((phase,) if move is None else move.to)


def every_message(world: World) -> list[m.LobbyMessage]:
    """Return a message of every kind that belongs to this lobby."""
    lobby, number, offer = world.host.keys.lobby, world.host.number, world.host.offer
    join = visiting.join_of(world.guest("ben"), world.links["ben"], PROGRAM)
    return [
        join,
        m.NotAdmitted(lobby, Reason.LOBBY_FULL),
        offer,
        m.Progress(lobby, number, 0, ()),
        m.Answer(lobby, number, bytes(32), Seat(1), b"", bytes(64)),
        m.Withdrawn(lobby, number),
        m.Leaving(lobby),
        m.Complete(lobby, number, (m.SignedAnswer(b"", bytes(64)),) * 2),
        address_record(signer_of("ben"), 1, ()),
        m.WordDrawing(lobby, 1),
        m.Pledge(lobby, 99, bytes(32)),
        m.ToldNonce(lobby, 99, bytes(32)),
        signed_line(
            m.LobbyLine(lobby, key_of("ben"), "ben", 1, "hello", UNSIGNED), signer_of("ben")
        ),
    ]
