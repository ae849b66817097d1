"""Seats that are asked in secret: what binds them, what they prove, and what is refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from nodealer.cards import STOCK, Board, hand
from nodealer.deck import CommitPart, deck_messages, make_commit, make_face, make_open, see
from nodealer.games.api import Action, Choice, Step, View, action
from nodealer.games.choosing import require_said
from nodealer.games.dealer import PlainDealer
from nodealer.games.effects import Ask, Effect, Move, Show
from nodealer.games.encoding import encode_named
from nodealer.games.registry import resolve
from nodealer.kernel import Bug, PeerError, Reason, Seat, SlotId, encode
from nodealer.kernel.chance import Chance
from nodealer.table import OPERATIONS, Replay
from nodealer.table.actions import ANSWERED, OpenedAnswer, ProvenFace
from nodealer.table.carrying import entered
from nodealer.table.operations.ask import write_said
from tests.games.barter import BARTER, Barter, Phase, State
from tests.support.rehearsal import Rehearsal, rehearsal
from tests.table.points import bartered_at
from tests.table.test_barter import at_the_dealer, at_the_table, dealt, held, seen
from tests.table.test_carrying import carry_out
from tests.table.twin import Twin

EVERYBODY = (Seat(0), Seat(1), Seat(2))
KINDS = ("object", "agree")


def asking(seats: Sequence[Seat] = (Seat(1), Seat(2))) -> Ask:
    return Ask("objections", KINDS, tuple(seats), "agree")


def asked(said: Callable[[Rehearsal, Seat], Action]) -> Rehearsal:
    """Return a table at which seats 1 and 2 open what they have said by these words."""
    made = rehearsal(3, BARTER, options={"cards": 3}, salt="asked")
    made.until_turn()
    made.act(Seat(0), action("call"))
    (part,) = made.owed
    label, table = made.label(part), made.moment.table
    for seat in part.seats:
        ring = made.players[seat].keyring
        value = encode(encode_named(said(made, seat)))
        data = deck_messages(ring.group).write(make_commit(ring, table, label, value))
        made.bound[seat, label] = data
    made.settle()
    return made


def opening(
    table: Rehearsal, seat: Seat, said: Action, proven: Sequence[tuple[SlotId, str]] = ()
) -> bytes:
    """Return how a seat opens what it says, with proofs that cards have these faces."""
    made = table.position.program.committed
    assert made is not None
    ring, deck = table.players[seat].keyring, table.position.cards
    value = encode(encode_named(said))
    salt = make_open(ring, table.moment.table, made.label, value).salt
    place = table.state.place_of(table.moment, table.label(table.owed[0]), ())
    proofs = tuple(
        ProvenFace(
            face,
            deck_messages(ring.group).write(
                make_face(deck, ring, place.at, slot, see(deck, ring, slot))
            ),
        )
        for slot, face in proven
    )
    return ANSWERED.write(OpenedAnswer(said.kind, said.fields, salt, proofs))


def found(table: Rehearsal, seat: Seat, data: bytes) -> Reason | None:
    """Return why an answer is refused."""
    label = table.label(table.owed[0])
    try:
        table.state.check(table.moment, seat, ((label, data),), ())
    except PeerError as refused:
        return refused.reason
    return None


def agree(_: Rehearsal, __: Seat) -> Action:
    return action("agree")


def objecting(place: int) -> Callable[[Rehearsal, Seat], Action]:
    """Return how seats object by a card of their hands, whatever it is."""

    def said(table: Rehearsal, seat: Seat) -> Action:
        return action("object", card=table.position.board.at(hand(seat))[place : place + 1])

    return said


def face_of(table: Rehearsal, seat: Seat, slot: SlotId) -> str:
    return see(table.position.cards, table.players[seat].keyring, slot)


def test_a_card_by_which_somebody_objects_is_open_and_still_held() -> None:
    table = bartered_at("answer")
    said = [ANSWERED.read(data) for one in table.contributions() for _, data in one.payloads]
    slots = [one.action.slots("card")[0] for one in said if one.kind == "object"]
    assert slots
    seats = {slot: table.position.board.layout.where(slot).seat for slot in slots}
    table.settle()
    for slot in slots:
        assert table.position.board.faces[slot] == "a"
        assert set(table.position.cards.slot(slot).layers) == {seats[slot]}


def test_what_is_committed_to_is_seen_by_nobody() -> None:
    one, other = asked(agree), asked(objecting(0))
    for seat in EVERYBODY:
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).duty is None, "nobody can say anything any more"
    assert one.state.digest() != other.state.digest()


def test_a_question_is_a_choice_of_kinds_with_its_window() -> None:
    table = bartered_at("ask")
    duty = table.position.view().duty
    assert isinstance(duty, Choice)
    assert (duty.kind, duty.kinds, duty.window) == ("agree", KINDS, 0)
    assert duty.asked == duty.owing == table.owing()
    assert table.position.view(given=duty.asked[:1]).duty == replace(duty, owing=duty.asked[1:])


def test_an_answer_has_no_length_that_depends_on_the_hand() -> None:
    table = asked(agree)
    lengths = {len(data) for one in table.contributions() for _, data in one.payloads}
    assert len(lengths) == 1


def test_who_opens_something_else_is_named_for_it() -> None:
    table = asked(agree)
    assert found(table, Seat(1), opening(table, Seat(1), action("agree"))) is None
    slot = table.position.board.at(hand(Seat(1)))[0]
    said = action("object", card=(slot,))
    data = opening(table, Seat(1), said, [(slot, "a")])
    assert found(table, Seat(1), data) is Reason.COMMIT_MISMATCH
    others = opening(table, Seat(2), action("agree"))
    assert found(table, Seat(1), others) is Reason.COMMIT_MISMATCH


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_card_has_to_be_proven_and_to_be_the_one_that_counts(place: int) -> None:
    table = asked(objecting(place))
    said = objecting(place)(table, Seat(1))
    (slot,) = said.slots("card")
    face = face_of(table, Seat(1), slot)
    assert found(table, Seat(1), opening(table, Seat(1), said)) is Reason.PROOF_FACE
    twice = opening(table, Seat(1), said, [(slot, face), (slot, face)])
    assert found(table, Seat(1), twice) is Reason.PROOF_FACE
    wrong = "a" if face != "a" else "b"
    data = opening(table, Seat(1), said, [(slot, wrong)])
    assert found(table, Seat(1), data) is Reason.PROOF_FACE
    true = opening(table, Seat(1), said, [(slot, face)])
    assert found(table, Seat(1), true) is (None if face == "a" else Reason.RULES_ILLEGAL)


ILLEGAL: dict[str, Callable[[Rehearsal, Seat], Action]] = {
    "another kind": lambda _, __: action("wait"),
    "a kind that there is not": lambda _, __: action("fly"),
    "a field too many": lambda _, __: action("agree", card=()),
    "no card": lambda _, __: action("object", card=()),
    "a card of another": lambda table, _: action(
        "object", card=table.position.board.at(hand(Seat(0)))[:1]
    ),
    "a card of the stock": lambda table, _: action(
        "object", card=table.position.board.at(STOCK)[:1]
    ),
    "a card twice": lambda table, seat: action(
        "object", card=table.position.board.at(hand(seat))[:1] * 2
    ),
    "a long word": lambda _, __: action("agree", word="x" * 1000),
}


@pytest.mark.parametrize("name", ILLEGAL)
def test_what_cannot_be_said_is_refused_as_illegal(name: str) -> None:
    table = asked(ILLEGAL[name])
    said = ILLEGAL[name](table, Seat(1))
    assert found(table, Seat(1), opening(table, Seat(1), said)) is Reason.RULES_ILLEGAL


def test_other_messages_are_refused_by_name() -> None:
    table = asked(agree)
    true = opening(table, Seat(1), action("agree"))
    assert found(table, Seat(1), b"") is Reason.ENCODING_TRUNCATED
    assert found(table, Seat(1), b"\x83\x01\x00\x00") is Reason.ENCODING_SHAPE
    assert found(table, Seat(1), true[:-1]) is Reason.ENCODING_TRUNCATED
    long = OpenedAnswer("agree", (("word", "x" * 2000),), bytes(32), ())
    assert found(table, Seat(1), ANSWERED.write(long)) is Reason.RULES_ILLEGAL
    other = bartered_at("ask")
    commitment = deck_messages(other.setting.group).write(CommitPart(bytes(32)))
    assert found(other, other.owing()[0], commitment) is None
    assert found(other, other.owing()[0], true) is Reason.ENCODING_KIND


def test_a_seat_that_has_forgotten_what_it_said_stops() -> None:
    table = asked(lambda _, __: action("fly"))
    with pytest.raises(Bug):
        table.contributions()


IMPOSSIBLE: dict[str, Effect] = {
    "nobody": asking(()),
    "a stranger": asking((Seat(1), Seat(7))),
    "a seat twice": asking((Seat(1), Seat(1))),
    "seats in another order": asking((Seat(2), Seat(1))),
    "a kind that there is not": replace(asking(), kinds=("agree", "fly")),
    "another default": replace(asking(), default="wait"),
    "a default with fields": replace(asking(), default="object"),
    "a kind that opens cards": replace(asking(), kinds=("agree", "play")),
    "less than no time": replace(asking(), window=-1),
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_asked_is_a_bug_of_the_rules_to_both(name: str) -> None:
    twin = dealt()
    step: Step[object] = Step(twin.table.position.rules, (IMPOSSIBLE[name],))
    with pytest.raises(Bug):
        at_the_table(twin, step)
    with pytest.raises(Bug):
        at_the_dealer(twin, step)


# Seats that leave while others are asked.


class Steady(Barter):
    """Barter in which those who have stayed are asked once more, with the cards as they lie."""

    def leave(self, state: State, board: Board, seats: Sequence[Seat], policy: str) -> Step[State]:
        if state.phase is not Phase.ASKING:
            return super().leave(state, board, seats, policy)
        left = tuple(seat for seat in state.seats if seat not in seats)
        after = replace(state, seats=left)
        return self.called(after, board, Seat(0))

    def heard(self, state: State, board: Board, answers: Sequence[Action]) -> Step[State]:
        """Go on: nothing can be drawn any more from a deck that a seat has left."""
        assert board.at(STOCK), answers
        return self.next_turn(state)


def steady() -> Twin:
    twin = Twin(rehearsal(4, Steady(), options={"cards": 3}, salt="steady"))
    while twin.table.position.underway:
        twin.settle()
    twin.act(Seat(0), action("call"))
    return twin


def test_who_has_committed_is_bound_by_it_when_somebody_is_left_out() -> None:
    twin = steady()
    table = twin.table
    before = {Seat(one.seat): one.payloads for one in table.contributions()}
    for seat, payloads in before.items():
        for label, data in payloads:
            table.bound[seat, label] = data
    twin.evict(Seat(2))
    assert table.owing() == (1, 3)
    again = {one.seat: one.payloads for one in table.contributions()}
    assert again == {seat: before[seat] for seat in (Seat(1), Seat(3))}
    twin.settle()
    twin.settle()
    assert not table.position.program.step


def test_who_is_asked_again_after_all_have_committed_says_it_anew() -> None:
    twin = steady()
    twin.settle()
    label = twin.table.position.program.committed
    assert label is not None
    twin.evict(Seat(2))
    assert twin.table.position.program.committed is None
    assert twin.table.label(twin.table.owed[0]) != label.label


@pytest.mark.parametrize(
    "changed",
    [
        lambda _: (replace(asking((Seat(1),)), kinds=("agree",)),),
        lambda _: (replace(asking((Seat(1),)), kinds=("agree", "wait"), default="wait"),),
        lambda board: (Move(board.at(hand(Seat(1)))[:1], STOCK), asking((Seat(1),))),
    ],
)
def test_those_who_are_bound_are_asked_the_same(
    changed: Callable[[Board], tuple[Effect, ...]],
) -> None:
    class Fickle(Steady):
        def called(self, state: State, board: Board, seat: Seat) -> Step[State]:
            step = super().called(state, board, seat)
            return step if len(state.seats) == 4 else replace(step, effects=changed(board))

    twin = steady()
    fickle = replace(twin.table.setting, game=Fickle())
    twin.table.state = Replay(replace(twin.table.position, setting=fickle))
    twin.dealer.game = Fickle()
    with pytest.raises(Bug):
        twin.table.evict(Seat(2))
    with pytest.raises(Bug):
        twin.dealer.leave([Seat(2)], "void")


def test_another_question_binds_nobody() -> None:
    class Other(Steady):
        def called(self, state: State, board: Board, seat: Seat) -> Step[State]:
            step = super().called(state, board, seat)
            if len(state.seats) == 4:
                return step
            return replace(step, effects=(replace(asking((Seat(1), Seat(3))), purpose="else"),))

    twin = steady()
    before = twin.table.label(twin.table.owed[0])
    twin.dealer.begin(Seat(1), action("agree"))
    other = replace(twin.table.setting, game=Other())
    twin.table.state = Replay(replace(twin.table.position, setting=other))
    twin.dealer.game = Other()
    twin.table.evict(Seat(2))
    twin.dealer.leave([Seat(2)], "void")
    assert twin.table.label(twin.table.owed[0]) != before
    assert twin.dealer.choice is not None
    assert twin.dealer.choice.owing == (1, 3)


def test_a_proof_needs_a_card_that_the_seat_holds() -> None:
    """A card of its hand that another saw first is that other's to prove."""
    twin = dealt()
    table, stock = twin.table, twin.table.position.board.at(STOCK)
    number = next(n for n, slot in enumerate(stock) if twin.dealer.pack.faces[slot] == "a")
    slot = stock[number]
    carry_out(twin, Show((slot,), (Seat(0),)))
    carry_out(twin, Move((slot,), hand(Seat(1))), Show((slot,), (Seat(1),)))
    assert seen(twin, 1, [slot]) == ["a"]
    assert slot in held(twin, 1)
    step: Step[object] = Step(table.position.rules, (asking((Seat(1),)),))
    table.state = Replay(entered(table.position, step))
    twin.dealer._enter(step)
    said = action("object", card=(slot,))
    with pytest.raises(Bug):
        twin.dealer.begin(Seat(1), said)


def test_true_is_not_one() -> None:
    """Slots are numbers: a truth value that equals one is another action."""

    class First(Barter):
        def legal(self, view: View) -> tuple[Action, ...]:
            assert view.owes_choice
            return (action("object", card=1), action("agree"))

    dealer = dealt().dealer
    dealer.game = First()
    require_said(dealer.scene, asking(), Seat(1), action("object", card=1), {})
    with pytest.raises(PeerError):
        require_said(dealer.scene, asking(), Seat(1), action("object", card=True), {})


def test_a_card_of_the_hand_that_nobody_saw_is_not_proven() -> None:
    twin = dealt()
    (slot,) = twin.table.position.board.at(STOCK)[:1]
    carry_out(twin, Move((slot,), hand(Seat(1))))
    position = entered(twin.table.position, Step(twin.table.position.rules, (asking((Seat(1),)),)))
    ring, said = twin.table.players[Seat(1)].keyring, action("object", card=(slot,))
    with pytest.raises(PeerError) as refused:
        write_said(position, ring, b"label", said)
    assert refused.value.reason is Reason.RULES_ILLEGAL


def test_nor_is_it_by_the_dealer() -> None:
    dealer = PlainDealer(BARTER, EVERYBODY, resolve(BARTER, 3, {"cards": 3}), Chance(1))
    dealer.settle()
    dealer.act(Seat(0), action("call"))
    dealer.pack = dealer.pack.placed([dealer.pack.faces[SlotId(0)]], hand(Seat(1)))[0]
    blind = dealer.board.at(hand(Seat(1)))[-1]
    with pytest.raises(PeerError, match="only cards that it knows"):
        dealer.act(Seat(1), action("object", card=(blind,)))


def test_seats_are_asked_before_there_are_cards() -> None:
    made = rehearsal(3, BARTER, salt="no cards")
    position = entered(made.position, Step(made.position.rules, (asking(),)))
    ring = made.players[Seat(1)].keyring
    data = write_said(position, ring, b"label", action("agree"))
    assert deck_messages(ring.group).read(data, CommitPart).commitment
    with pytest.raises(PeerError):
        write_said(position, ring, b"label", action("object", card=(0,)))


def test_who_has_said_nothing_says_nothing_else() -> None:
    table = asked(agree)
    (lie,) = (one for one in OPERATIONS[Ask].lies if one.name == "another answer")
    ((label, data),) = table.given(Seat(1)).payloads
    assert lie.other is not None
    place = table.state.place_of(table.moment, label, ())
    assert lie.other(place, table.players[Seat(1)].keyring, data) is None
