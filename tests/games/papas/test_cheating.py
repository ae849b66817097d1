"""Whoever cheats at Papas is named by all others and by the verifier, with the code of what it did.

Each lie is told at a real table, by a seat that has committed to it as to the truth, and after all
others have said what they owe. They refuse it for the reason that the pages give, show each other
the evidence, and go on without the liar; their transcripts name it to whoever reads them.
"""

from __future__ import annotations

import pytest

from nodealer.cards import hand
from nodealer.deck import deck_messages, make_absent, make_face, make_open, make_return, see
from nodealer.games.api import Action, action
from nodealer.games.effects import Give, Restack
from nodealer.games.encoding import encode_named
from nodealer.games.papas.cards import CARDS, NO_POH, POTATO
from nodealer.games.papas.resolving import RUNAWAY_COIN
from nodealer.kernel import Reason, Seat, SlotId, encode
from nodealer.ledger import label_of
from nodealer.table import OPERATIONS, Player
from nodealer.table.actions import ANSWERED, HELD, HeldCard, OpenedAnswer, ProvenFace
from nodealer.table.carrying import make
from nodealer.table.operation import Place
from tests.games.papas.lied_to import Forging, LiedTo, Payload, dealt, held, slots_of

SKIP = action("skip-reaction")


def played(made: LiedTo, seat: Seat, word: str, at: Seat | None = None) -> None:
    """Let a seat play a card, and aim it."""
    made.act(seat, action("play-card", card=slots_of(made, seat, word)[:1]))
    if at is not None:
        made.act(seat, action("select-targets", seats=(at,)))


def given(kind: str, forge: Forging) -> Forging:
    """Return the forging of the parts of a kind alone."""
    return lambda where, player, due: forge(where, player, due) if due == kind else None


def told(effect: type, name: str) -> Forging:
    """Return the forging that an operation tells of as a lie."""
    (lie,) = (one for one in OPERATIONS[effect].lies if one.name == name)

    def forge(where: Place, player: Player, due: str) -> Payload:
        assert lie.other is not None
        data = lie.other(where, player.keyring, make(where, due, player.keyring))
        assert data is not None
        return where.at.step, data

    return given(lie.part.kind, forge)


def is_named(made: LiedTo, liar: Seat, reason: Reason) -> None:
    """Require that all others refuse the lie for a reason, and that everybody can see who lied."""
    assert made.reason is reason
    rosters = [table.position.roster for table in made.tables.values()]
    assert rosters == [tuple(made.tables)] * 2, "the others go on without it"
    report = made.report()
    assert [(cheat.seat, cheat.code) for cheat in report.cheats] == [(liar, "E5")]
    assert report.culprit == liar
    assert not report.failures


def face_proof(where: Place, player: Player, slot: SlotId) -> bytes:
    """Return the proof of what a card is."""
    face = see(where.ground, player.keyring, slot)
    part = make_face(where.ground, player.keyring, where.at, slot, face)
    return deck_messages(player.keyring.group).write(part)


# A claim: Pope Potato.


def asked_for(made: LiedTo, *, held_by_liar: bool, forge: Forging) -> Seat:
    """Let a card be asked for that the liar holds, or not; return the liar."""
    actor, liar = made.until("pope")
    lying = held(made, liar).values()
    name = next(face for face in CARDS if (face in lying) == held_by_liar)
    played(made, actor, "pope", liar)
    made.silent()
    made.forge(liar, given("claim", forge))
    made.act(actor, action("select-card-name", name=name))
    return liar


def test_a_denial_with_the_card_in_hand() -> None:
    def deny(where: Place, player: Player, _: str) -> Payload:
        deck, ring, zone = where.ground, player.keyring, hand(player.seat)
        lying = {see(deck, ring, slot) for slot in deck.layout.at(zone)}
        absent = next(face for face in CARDS if face not in lying)
        part = make_absent(deck, ring, where.at, zone, absent)
        return where.at.step, deck_messages(ring.group).write(part)

    made = dealt()
    liar = asked_for(made, held_by_liar=True, forge=deny)
    is_named(made, liar, Reason.PROOF_ABSENT)


def test_a_claim_of_a_card_that_is_not_held() -> None:
    def claim(where: Place, player: Player, _: str) -> Payload:
        slot = where.ground.layout.at(hand(player.seat))[0]
        return where.at.step, HELD.write(HeldCard(slot, face_proof(where, player, slot)))

    made = dealt()
    liar = asked_for(made, held_by_liar=False, forge=claim)
    is_named(made, liar, Reason.PROOF_FACE)


# What is taken blind: Lend me a buck, Runaway potatoes.


def test_a_steal_answered_with_another_card() -> None:
    made = dealt()
    actor, liar = made.until("buck")
    played(made, actor, "buck", liar)
    made.silent()
    made.forge(liar, told(Give, "another card given"))
    made.act(actor, made.tables[actor].legal()[-1])
    is_named(made, liar, Reason.PROOF_TRANSFER)


def test_a_restack_with_a_card_exchanged() -> None:
    made = dealt()
    actor, liar = made.until("buck")
    made.forge(liar, told(Restack, "exchanged card"))
    played(made, actor, "buck", liar)
    made.silent()
    is_named(made, liar, Reason.PROOF_SHUFFLE)


def run_away(forging: Forging) -> tuple[LiedTo, Seat]:
    """Let cards run away; return the table, and the liar."""
    made = dealt()
    actor, liar = made.until("run")
    made.forge(liar, forging)
    played(made, actor, "run")
    made.silent()
    return made, liar


def test_a_returned_card_exchanged_for_another_of_the_hand() -> None:
    def exchange(where: Place, player: Player, _: str) -> Payload:
        # The coin has named one card of each hand; another of the own hand goes in its place.
        own = where.ground.layout.at(hand(player.seat))
        named = set(where.position.program.effects[0].slots)  # type: ignore[union-attr]
        other = next(slot for slot in own if slot not in named)
        part = make_return(where.ground, player.keyring, where.at, (other,))
        return where.at.step, deck_messages(player.keyring.group).write(part)

    made, liar = run_away(given("return", exchange))
    is_named(made, liar, Reason.PROOF_RETURN)


@pytest.mark.parametrize("kind", ["commit", "open"])
def test_a_coin_that_comes_before_the_restack_is_complete(kind: str) -> None:
    def toss(where: Place, player: Player, _: str) -> Payload:
        ring, table = player.keyring, where.at.table
        label = label_of("commit", RUNAWAY_COIN, where.at.parent)
        part = make_open(ring, table, label, bytes(32))
        return label_of(kind, RUNAWAY_COIN, where.at.parent), deck_messages(ring.group).write(part)

    made, liar = run_away(given("restack", toss))
    is_named(made, liar, Reason.LEDGER_NOT_OWED)


# The window.


def opening(said: Action, *shown: str) -> Forging:
    """Return the opening of something that was said, with its cards as these faces."""

    def answer(where: Place, player: Player, _: str) -> Payload:
        ring, made = player.keyring, where.position.program.committed
        assert made is not None
        salt = make_open(ring, where.at.table, made.label, encode(encode_named(said))).salt
        slots = said.slots("card")
        proofs = tuple(
            ProvenFace(face, face_proof(where, player, slot))
            for slot, face in zip(slots, shown, strict=True)
        )
        opened = OpenedAnswer(said.kind, said.fields, salt, proofs)
        return where.at.step, ANSWERED.write(opened)

    return given("answer", answer)


@pytest.mark.parametrize(
    ("shown", "reason"), [(NO_POH, Reason.PROOF_FACE), (POTATO, Reason.RULES_ILLEGAL)]
)
def test_an_interrupt_said_and_not_held(shown: str, reason: Reason) -> None:
    """It is proven by a potato, which is called an interrupt, or called what it is."""
    made = dealt()
    actor, liar = made.until("harry", beside="po")
    said = action(NO_POH, card=slots_of(made, liar, "po")[:1])
    played(made, actor, "harry")
    made.forge(liar, opening(said, shown))
    made.say(liar, said)
    made.silent()
    is_named(made, liar, reason)


@pytest.mark.parametrize("is_taken_back", [False, True])
def test_a_reaction_changed_after_the_others_have_opened(is_taken_back: bool) -> None:
    made = dealt()
    actor, liar = made.until("harry", beside="no")
    no = action(NO_POH, card=slots_of(made, liar, "no")[:1])
    played(made, actor, "harry")
    made.forge(liar, opening(SKIP) if is_taken_back else opening(no, NO_POH))
    made.act(liar, no if is_taken_back else SKIP)
    made.silent()
    is_named(made, liar, Reason.COMMIT_MISMATCH)


def test_no_poh_said_to_a_trio() -> None:
    made = dealt()
    actor, liar = made.until("po po po", beside="no")
    no = action(NO_POH, card=slots_of(made, liar, "no")[:1])
    made.act(actor, action("play-threesome", cards=slots_of(made, actor, "po po po")))
    made.forge(liar, opening(no, NO_POH))
    made.say(liar, no)
    made.silent()
    is_named(made, liar, Reason.RULES_ILLEGAL)
