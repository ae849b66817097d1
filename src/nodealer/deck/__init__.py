"""The mental-poker deck, complete and without input or output.

Peers shuffle and deal among themselves. This package holds the public state that all of them
compute alike (`Deck`), the private side of one seat (`Keyring`), and for every operation a triple:

    make_*    what a seat sends, from its keyring and the state
    check_*   what everybody else checks against the same state; raises a named reason
    take_*    the state after the checked part

It knows no rules of any game, no signatures and no history: `ProofMoment` brings in where in a
history a part is made, and everything is bound to it. `specs/03-deck.md` walks through the
operations.
"""

from nodealer.deck.audience import PUBLIC, ReleasePlan, plan
from nodealer.deck.claims import (
    AbsentPart,
    ClaimedFace,
    FacePart,
    MemberPart,
    check_absent,
    check_face,
    check_member,
    make_absent,
    make_face,
    make_member,
    take_face,
)
from nodealer.deck.equality import (
    EqualPart,
    NotEqualPart,
    check_equal,
    check_not_equal,
    make_equal,
    make_not_equal,
    verdict_prover,
)
from nodealer.deck.exchange import ExchangeProof
from nodealer.deck.gather import Returned, check_return, gather, make_return, returns_due
from nodealer.deck.handover import (
    Gift,
    HandedCard,
    HandoverPart,
    Transfer,
    check_gifts,
    check_transfer,
    make_gifts,
    make_transfer,
    take_transfers,
)
from nodealer.deck.joint import (
    CommitPart,
    OpenPart,
    check_coin,
    check_open,
    coin,
    coin_value,
    draw,
    make_commit,
    make_open,
)
from nodealer.deck.keyring import Keyring
from nodealer.deck.keys import (
    KeyPart,
    check_deck_key,
    check_sealing_key,
    make_deck_key,
    make_sealing_key,
    take_deck_keys,
)
from nodealer.deck.mask import MaskPart, check_mask, make_mask, take_masks, vouch_mask
from nodealer.deck.moment import ProofMoment
from nodealer.deck.part_bytes import DeckMessages, deck_messages
from nodealer.deck.release import (
    OpenKey,
    OpenShare,
    ReleasePart,
    SealShares,
    announce,
    check_releases,
    make_releases,
    owing,
    take_releases,
)
from nodealer.deck.restacking import (
    Restacked,
    RestackPart,
    check_restack,
    make_restack,
    take_restacks,
)
from nodealer.deck.reveal import (
    Revealed,
    RevealPart,
    ViewedFace,
    check_reveal,
    make_reveal,
    take_reveal,
)
from nodealer.deck.shuffle import (
    ShufflePart,
    check_shuffle,
    make_shuffle,
    next_shuffler,
    take_shuffle,
    vouch_shuffle,
)
from nodealer.deck.sight import holds_seals, see
from nodealer.deck.slots import Layer, LayerKind, SealedShare, Slot
from nodealer.deck.state import (
    Deck,
    Pile,
    Stage,
    Vetted,
    cleared,
    distinct_keys,
    new_deck,
    renewed,
    without_seats,
)

__all__ = [
    "PUBLIC",
    "AbsentPart",
    "ClaimedFace",
    "CommitPart",
    "Deck",
    "DeckMessages",
    "EqualPart",
    "ExchangeProof",
    "FacePart",
    "Gift",
    "HandedCard",
    "HandoverPart",
    "KeyPart",
    "Keyring",
    "Layer",
    "LayerKind",
    "MaskPart",
    "MemberPart",
    "NotEqualPart",
    "OpenKey",
    "OpenPart",
    "OpenShare",
    "Pile",
    "ProofMoment",
    "ReleasePart",
    "ReleasePlan",
    "RestackPart",
    "Restacked",
    "Returned",
    "RevealPart",
    "Revealed",
    "SealShares",
    "SealedShare",
    "ShufflePart",
    "Slot",
    "Stage",
    "Transfer",
    "Vetted",
    "ViewedFace",
    "announce",
    "check_absent",
    "check_coin",
    "check_deck_key",
    "check_equal",
    "check_face",
    "check_gifts",
    "check_mask",
    "check_member",
    "check_not_equal",
    "check_open",
    "check_releases",
    "check_restack",
    "check_return",
    "check_reveal",
    "check_sealing_key",
    "check_shuffle",
    "check_transfer",
    "cleared",
    "coin",
    "coin_value",
    "deck_messages",
    "distinct_keys",
    "draw",
    "gather",
    "holds_seals",
    "make_absent",
    "make_commit",
    "make_deck_key",
    "make_equal",
    "make_face",
    "make_gifts",
    "make_mask",
    "make_member",
    "make_not_equal",
    "make_open",
    "make_releases",
    "make_restack",
    "make_return",
    "make_reveal",
    "make_sealing_key",
    "make_shuffle",
    "make_transfer",
    "new_deck",
    "next_shuffler",
    "owing",
    "plan",
    "renewed",
    "returns_due",
    "see",
    "take_deck_keys",
    "take_face",
    "take_masks",
    "take_releases",
    "take_restacks",
    "take_reveal",
    "take_shuffle",
    "take_transfers",
    "verdict_prover",
    "vouch_mask",
    "vouch_shuffle",
    "without_seats",
]
