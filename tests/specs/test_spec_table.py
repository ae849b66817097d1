"""The page of the table says what the code does: its tables, its diagram, its hashes, its shapes.

The hashes are made here once more from what the page says, with nothing of the table's own code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import cbor2
import pytest
from pycddl import Schema, ValidationError  # type: ignore[import-untyped]

from nodealer.games.api import Action
from nodealer.games.diagram import Transition, mermaid
from nodealer.games.effects import (
    Acks,
    Ask,
    Choose,
    Claim,
    Coin,
    Compare,
    Give,
    Move,
    NewDeck,
    Reshuffle,
    Restack,
    Show,
)
from nodealer.games.encoding import encode_state
from nodealer.kernel import Value, encode
from nodealer.ledger import Closed, Due
from nodealer.table import OPERATIONS, Position
from nodealer.table.actions import ACTED, AGAIN, ANSWERED, CHOSEN, HELD
from nodealer.table.carrying import owed
from nodealer.table.charter import FOUNDING
from nodealer.wire import decode
from tests.specs.pages import SPECS
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import ASKED, BARTERED, DUE, asked_at, at, bartered_at

PAGE = (SPECS / "05-table.md").read_text(encoding="utf-8")
TEXT = (SPECS / "table.cddl").read_text(encoding="utf-8")

STEPS_ROW = re.compile(r"^\| `(?P<effect>[A-Z]\w+)` \| (?P<steps>[a-z, ]+) \|$", re.MULTILINE)
PART_ROW = re.compile(
    r"^\| (?P<steps>[a-z, ]+) \| `(?P<kind>\w+)` \| (?P<by>[^|]+) \|(?P<binding>[^|]*)\|"
    r"(?P<chained>[^|]*)\|(?P<message>[^|]*)\|$",
    re.MULTILINE,
)
DRAWN = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_table_of_steps_is_that_of_the_code() -> None:
    rows = {row["effect"]: row["steps"] for row in STEPS_ROW.finditer(PAGE)}
    assert rows == {
        kind.__name__: ", ".join(step.word for step in operation.steps) or "none"
        for kind, operation in OPERATIONS.items()
    }


def diagram() -> str:
    """Return the states of a table and what leads from one to the next, drawn from the steps."""
    rows = [Transition(None, "charter", "queue")]
    for kind, operation in OPERATIONS.items():
        path = ["queue", *(step.word for step in operation.steps), "queue"]
        triggers = [kind.__name__, *("all" for _ in operation.steps)]
        arrows = zip(pairwise(path), triggers, strict=True)
        rows += [Transition(a, trigger, b) for (a, b), trigger in arrows]
    rows.append(Transition("queue", "Reshuffle", "shuffle"))  # nobody has to bring anything back
    rows += [Transition("queue", "no effects", "turn"), Transition("turn", "action", "queue")]
    words = [step.word for operation in OPERATIONS.values() for step in operation.steps]
    rows += [Transition(word, "eviction", "queue") for word in words]
    rows += [
        Transition("turn", "eviction", "queue"),
        Transition("queue", "game over", "close"),
        Transition("close", "eviction", "close"),
        Transition("close", "all seals", "closed"),
        Transition("closed", "again", "queue"),
        Transition("closed", "eviction", "closed"),
    ]
    merged = {(row.source, row.target, row.trigger): row for row in rows}
    return mermaid(merged.values(), ["closed"])


def test_the_diagram_is_drawn_from_the_steps() -> None:
    (drawn,) = DRAWN.findall(PAGE)
    assert drawn == diagram()


def test_the_table_of_parts_is_what_is_owed() -> None:
    rows = {row["kind"]: row for row in PART_ROW.finditer(PAGE)}
    seen = set()
    for table in points():
        duty = table.duty
        assert isinstance(duty, Due)
        for part in duty.parts:
            row = rows[part.kind]
            seen.add(part.kind)
            assert part.binding == (row["binding"].strip() == "yes")
            assert part.chained == (row["chained"].strip() == "yes")
            step = table.position.program.step
            assert (step or "close") in row["steps"]
            if "the roster" in row["by"]:
                assert part.seats == table.position.roster
            if part.seats:
                data = dict(table.given(part.seats[0]).payloads)[table.label(part)]
                assert f"`{kind_of(data)}`" in row["message"]
            if part.purpose:
                assert part.kind in ("commit", "open", "choose", "ask", "answer")
        if not table.position.underway:
            assert owed(table.position) == ()
    assert seen == set(rows)


def points() -> Iterator[Rehearsal]:
    """Yield the points of three games at which every step is due."""
    yield from map(at, DUE)
    yield from map(asked_at, ASKED)
    yield from map(bartered_at, BARTERED)


def kind_of(data: bytes) -> object:
    message = decode(data)
    assert isinstance(message, tuple)
    return message[1]


def H(*items: object) -> bytes:
    return hashlib.sha256(cbor2.dumps(list(items), canonical=True)).digest()


def test_the_hash_of_the_terms_is_made_as_the_page_says() -> None:
    agreed = rehearsal(3).setting.agreed
    charter = agreed.charter
    founding = decode(charter.terms)
    assert isinstance(founding, tuple)
    version, kind, lobby, game, rules, options, names, answers = founding
    assert (version, kind) == (1, "table/founding")
    clock = charter.clock
    times = [clock.act, clock.answer, clock.rejoin, clock.longest]
    keys = list(charter.keys)
    made = H("nodealer/1/terms", lobby, game, rules, options, names, keys, times, charter.policy)
    assert made == agreed.terms.hash
    assert {kind_of(answer) for answer in answers} == {"deck/key"}


def zone_form(zone: Any) -> list[object]:  # noqa: ANN401 - any named pair
    return [zone.name, zone.seat]


def effect_form(effect: object) -> object:
    form: list[object]
    match effect:
        case NewDeck(composition, into, keep, coin):
            thrown = None if coin is None else effect_form(coin)
            form = ["new-deck", list(composition.faces), zone_form(into), list(keep), thrown]
        case Reshuffle(slots, into):
            form = ["reshuffle", list(slots), zone_form(into)]
        case Coin(purpose, sides):
            form = ["coin", purpose, sides]
        case Move(slots, to):
            form = ["move", list(slots), zone_form(to)]
        case Show(slots, seats, closed=closed):
            form = ["show", list(slots), list(seats), *([True] if closed else [])]
        case Compare(slots):
            form = ["compare", list(slots)]
        case Choose(purpose, kind, zones):
            form = ["choose", purpose, kind, [zone_form(zone) for zone in zones]]
        case Acks():
            form = ["acks"]
        case _:
            form = effect_on_hands(effect)
    return form


def effect_on_hands(effect: object) -> list[object]:
    match effect:
        case Restack(zones):
            return ["restack", [zone_form(zone) for zone in zones]]
        case Give(slots, to):
            return ["give", list(slots), zone_form(to)]
        case Claim(zone, face):
            return ["claim", zone_form(zone), face]
        case Ask(purpose, kinds, seats, default, window):
            return ["ask", purpose, list(kinds), list(seats), default, window]
        case _:
            raise AssertionError(effect)


def result_form(result: object) -> object:
    if not isinstance(result, tuple):
        return result
    return [[one.kind, dict(one.fields)] if isinstance(one, Action) else one for one in result]


def state_hash(position: Position) -> bytes:
    """Return the state hash as the page describes it."""
    program, board, deck = position.program, position.board, position.deck
    made = program.committed
    queue = [
        program.step,
        [effect_form(effect) for effect in program.effects],
        None if made is None else [made.label, [list(pair) for pair in made.commitments]],
        [result_form(result) for result in program.results],
        [list(pair) for pair in program.coins],
    ]
    zones = sorted(
        board.layout.zones.items(),
        key=lambda item: (item[0].name, item[0].seat is not None, item[0].seat or 0),
    )
    return H(
        "nodealer/1/state",
        list(position.roster),
        None if deck is None else deck.epoch,
        [position.games, position.is_closed, queue],
        encode_state(position.rules),
        [
            [[zone_form(zone), list(slots)] for zone, slots in zones if slots],
            [[slot, face] for slot, face in sorted(board.faces.items())],
        ],
    )


def test_the_state_hash_is_made_as_the_page_says() -> None:
    table = rehearsal(3, salt="page")
    heights = 0
    while not isinstance(table.duty, Closed):
        assert table.state.digest() == state_hash(table.position)
        table.step()
        heights += 1
        if heights == 20:
            table.evict(table.position.roster[0])
    assert table.state.digest() == state_hash(table.position)
    table.again()
    assert table.state.digest() == state_hash(table.position)
    for point in points():
        assert point.state.digest() == state_hash(point.position)


# Shapes.


@lru_cache
def schema(rule: str) -> Schema:
    return Schema(f"root = {rule}\n{TEXT}")


def fits(rule: str, value: Value) -> bool:
    try:
        schema(rule).validate_cbor(encode(value))
    except ValidationError:
        return False
    except BaseException as error:
        # Where an array is expected and something else is found, the validator stumbles.
        if type(error).__name__ != "PanicException":
            raise
        return False
    return True


def messages() -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield real messages with the rule of their kind."""
    table = rehearsal(3, salt="cddl")
    sent = [table.setting.agreed.charter.terms]
    table.run(60)
    sent += [data for _, _, kind, data in table.sent if kind == "action"]
    sent.append(AGAIN.write(AGAIN.read(encode((1, "table/again")))))
    sent += [data for one in asked_at("choose").contributions() for _, data in one.payloads]
    held = [held_card(number) for number in range(4)]
    sent += [data for one in bartered_at("answer").contributions() for _, data in one.payloads]
    sent += [data for data in held if b"table/held" in data][:1]
    for data in sent:
        message = decode(data)
        assert isinstance(message, tuple)
        yield str(message[1]).replace("/", "-"), message


def held_card(number: int) -> bytes:
    """Return what a seat answers that is asked for a face."""
    (given,) = bartered_at("claim", 3, ("claims", number)).contributions()
    ((_, data),) = given.payloads
    return data


REAL = list(messages())
RULES = tuple(
    schema.kind.replace("/", "-") for schema in (FOUNDING, ACTED, AGAIN, HELD, ANSWERED, CHOSEN)
)


def test_a_message_is_of_one_of_these_kinds() -> None:
    choices = TEXT.partition("table-message =")[2].partition("\n\n")[0].strip()
    assert tuple(choice.strip() for choice in choices.split("/")) == RULES
    assert {rule for rule, _ in REAL} == set(RULES)


def test_real_messages_fit_the_rule_of_their_kind_alone() -> None:
    for rule, whole in REAL:
        assert [other for other in RULES if fits(other, whole)] == [rule]


@pytest.mark.parametrize("rule", RULES)
def test_other_shapes_do_not_fit(rule: str) -> None:
    whole = next(message for name, message in REAL if name == rule)
    assert not fits(rule, whole[:-1])
    assert not fits(rule, (*whole, None))
    assert not fits(rule, (2, *whole[1:]))
    for place in range(2, len(whole)):
        assert not fits(rule, (*whole[:place], True, *whole[place + 1 :]))
