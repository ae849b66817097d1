"""What seats owe to a deck of the greatest size fits into what a seat may sign at once."""

from __future__ import annotations

from nodealer.cards import Composition
from nodealer.deck import deck_messages
from nodealer.kernel.limits import CARDS_MAX
from nodealer.ledger.codec import SIGNED_BYTES_MAX
from tests.support.fleet import mixed


def test_the_parts_of_the_largest_deck_can_be_signed() -> None:
    made = mixed(2, Composition(tuple(str(card) for card in range(CARDS_MAX))))
    messages = deck_messages(made.deck.group)
    sizes = {type(part).__name__: len(messages.write(part)) for _, _, _, part in made.sent}
    assert sizes.keys() == {"KeyPart", "ShufflePart", "MaskPart"}
    assert max(sizes.values()) < SIGNED_BYTES_MAX
