"""Every named reason for which something is refused.

The slug is part of the protocol: specs, vectors and signed refusals use it, and it never changes
its meaning. A reason is added here, described in one line, and shown by at least one negative
vector or test. The part before the stroke says which layer refuses.
"""

from __future__ import annotations

from enum import Enum, unique
from typing import Self


@unique
class Reason(Enum):
    """A slug and, for people, what it means."""

    slug: str
    meaning: str

    @property
    def is_local(self) -> bool:
        """Whether this can only be a mistake of our own."""
        return self.slug.startswith("local/")

    def __new__(cls, slug: str, meaning: str = "") -> Self:
        """Make the member's value its slug alone, so that `Reason(slug)` finds it again."""
        member = object.__new__(cls)
        member._value_ = slug
        member.slug = slug
        member.meaning = meaning
        return member

    # Encoding: the bytes are not one deterministic CBOR item of our profile.
    ENCODING_TRUNCATED = "encoding/truncated", "the bytes end in the middle of an item"
    ENCODING_TRAILING = "encoding/trailing", "bytes follow the end of the item"
    ENCODING_NOT_MINIMAL = "encoding/not-minimal", "a number or length is not in its shortest form"
    ENCODING_INDEFINITE = "encoding/indefinite", "items of indefinite length are not used"
    ENCODING_UNSUPPORTED = "encoding/unsupported", "tags, floats, other simple values are not used"
    ENCODING_TEXT = "encoding/text", "text is not valid UTF-8"
    ENCODING_KEY = "encoding/key", "map keys must be text"
    ENCODING_KEY_ORDER = "encoding/key-order", "map keys must ascend bytewise, each once"
    ENCODING_TOO_DEEP = "encoding/too-deep", "items are nested too deeply"
    ENCODING_TOO_MANY = "encoding/too-many", "the message has too many items"
    ENCODING_OVERSIZED = "encoding/oversized", "the message is too long"
    ENCODING_SHAPE = "encoding/shape", "the item has not the fields that its kind has"
    ENCODING_KIND = "encoding/kind", "the message is of a kind that is not expected here"
    ENCODING_VERSION = "encoding/version", "the message is of a protocol version not spoken here"

    # Group: the bytes are not a point or scalar.
    GROUP_POINT_LENGTH = "group/point-length", "a point has exactly 33 bytes"
    GROUP_POINT_PREFIX = "group/point-prefix", "a point starts with 02 or 03"
    GROUP_POINT_OFF_CURVE = "group/point-off-curve", "no point of the group has these bytes"
    GROUP_SCALAR_LENGTH = "group/scalar-length", "a scalar has exactly 32 bytes"
    GROUP_SCALAR_RANGE = "group/scalar-range", "a scalar is below the order of the group"
    GROUP_CHALLENGE_LENGTH = "group/challenge-length", "a challenge has exactly 16 bytes"

    # Proofs: the claim does not hold, or was made for another place.
    PROOF_LENGTH = "proof/length", "the proof has not the length that its statement asks for"
    PROOF_KEY = "proof/key", "no knowledge of the key is shown"
    PROOF_SHUFFLE = "proof/shuffle", "the new deck is not shown to be a shuffle of the old one"
    PROOF_MASK = "proof/mask", "the mask is not shown to replace the deck key"
    PROOF_CONVERT = "proof/convert", "the layers are not shown to be exchanged correctly"
    PROOF_SHARE = "proof/share", "the share is not shown to be that of the layer"
    PROOF_SEAL = "proof/seal", "the sealed release is not shown to hold the layer"
    PROOF_TRANSFER = "proof/transfer", "the card is not shown to be the one handed over"
    PROOF_RETURN = "proof/return", "the card is not shown to be the one given back"
    PROOF_FACE = "proof/face", "the slot is not shown to have this face"
    PROOF_MEMBER = "proof/member", "the slot is not shown to have one of these faces"
    PROOF_ABSENT = "proof/absent", "the hand is not shown to be without this face"
    PROOF_VIEW_FACE = "proof/view-face", "the viewer does not show that the slot has this face"
    PROOF_EQUAL = "proof/equal", "the slots are not shown to have equal faces"
    PROOF_NOT_EQUAL = "proof/not-equal", "the slots are not shown to differ"

    # Signatures.
    SIGNATURE_LENGTH = "signature/length", "a signature has 64 bytes and a key 32"
    SIGNATURE_WEAK_KEY = "signature/weak-key", "one signature of this key fits many messages"
    SIGNATURE_BAD = "signature/bad", "the signature does not fit message and key"

    # Commitments: hidden choices and coins.
    COMMIT_LENGTH = "commit/length", "a commitment and its salt have 32 bytes each"
    COMMIT_MISMATCH = "commit/mismatch", "the opening is not what was committed to"
    COMMIT_MISSING = "commit/missing", "a seat has not committed, or not opened"
    COMMIT_OVERSIZED = "commit/oversized", "the opened value is too long"

    # Deck: the claim does not fit the state of the deck.
    DECK_SEAT = "deck/seat", "this seat owes nothing here"
    DECK_MISSING = "deck/missing", "a seat's part is missing"
    DECK_COUNT = "deck/count", "the part has another number of cards than the deck"
    DECK_STAGE = "deck/stage", "the deck is not at this stage"
    DECK_SAME_KEY = "deck/same-key", "two seats show the same key"
    DECK_DEGENERATE = "deck/degenerate", "keys or cards cancel out"
    DECK_SLOT_UNKNOWN = "deck/slot-unknown", "no slot has this number"
    DECK_SLOT_RETIRED = "deck/slot-retired", "the slot was replaced and may not be used again"
    DECK_SLOT_TWICE = "deck/slot-twice", "a slot is named twice"
    DECK_FACE_UNKNOWN = "deck/face-unknown", "the deck has no such face"
    DECK_FACE_KNOWN = "deck/face-known", "the face of this slot is already public"
    DECK_AUDIENCE = "deck/audience", "nobody can serve this audience"
    DECK_SEAT_GONE = "deck/seat-gone", "a layer belongs to a seat that has left"
    DECK_NOT_SOLE = "deck/not-sole", "the holder's layer is not the only one left"
    DECK_NOT_VIEWER = "deck/not-viewer", "this seat may not see the slot"
    DECK_RELEASE_FORM = "deck/release-form", "this layer is not released in this way"
    DECK_WRONG_KEY = "deck/wrong-key", "the opened key is not that of the layer"
    DECK_NOT_OWED = "deck/not-owed", "other releases are owed than were sent"
    DECK_OWED = "deck/owed", "releases are still owed"
    DECK_UNDECODABLE = "deck/undecodable", "a slot opens to no face of the deck"
    DECK_ZONE = "deck/zone", "the slot does not lie there"

    # Rules: the deck could do it, the game does not allow it.
    RULES_ILLEGAL = "rules/illegal", "the rules of the game do not allow the action"

    # Ledger: the object does not fit the history, or the rules of countersigning.
    LEDGER_NOT_ON_TURN = "ledger/not-on-turn", "the seat is not the one that may author here"
    LEDGER_NOT_IN_ROSTER = (
        "ledger/not-in-roster",
        "the seat is none of those whose word counts here",
    )
    LEDGER_WRONG_PLACE = "ledger/wrong-place", "the object does not lie where its own fields say"
    LEDGER_UNKNOWN_PARENT = "ledger/unknown-parent", "it rests on an entry that is not known here"
    LEDGER_STATE_DIFFERS = "ledger/state-differs", "replay comes to another state"
    LEDGER_CONTRIBUTIONS_MISSING = (
        "ledger/contributions-missing",
        "the step has other contributions than those that were owed",
    )
    LEDGER_NOT_OWED = "ledger/not-owed", "other parts are owed, or none"
    LEDGER_BUILDS_ON_OTHER = (
        "ledger/builds-on-other",
        "it names other contributions than those before it",
    )
    LEDGER_NOT_ITS_SEAL = (
        "ledger/not-its-seal",
        "the seal is not that of the author on this content",
    )
    LEDGER_RANK_NOT_BACKED = "ledger/rank-not-backed", "a stated rank lacks its certificate"
    LEDGER_CERTIFICATE = "ledger/certificate", "the certificate does not make the entry complete"
    LEDGER_ROUND_FAR_AHEAD = "ledger/round-far-ahead", "the round is too far ahead to be kept"
    LEDGER_NO_GROUNDS = "ledger/no-grounds", "an eviction that neither a majority nor grounds back"
    LEDGER_VOTE = "ledger/vote", "the fields of the vote alone break the rules of rounds"
    LEDGER_EVIDENCE = "ledger/evidence", "the evidence does not name its seat rightly"
    LEDGER_OTHER_TABLE = "ledger/other-table", "it was made for another table"
    LEDGER_WRONG_SENDER = (
        "ledger/wrong-sender",
        "it speaks for another seat than the one that sent it",
    )

    # Table: what the seats are to agree on is not sound.
    TABLE_NAME = "table/name", "a name cannot be shown, or looks like another one"
    TABLE_CHARTER = "table/charter", "the charter contradicts itself"
    TABLE_RULES = "table/rules", "the rules that the charter names are others, or do not allow it"

    # Link: what a peer sent on a connection breaks the rules of the link.
    LINK_ADDRESS = "link/address", "nobody can be reached at such an address"
    LINK_ORDER = "link/order", "the payload has another number than the next one"
    LINK_WINDOW = "link/window", "more is under way than may be"
    LINK_ACKNOWLEDGED = "link/acknowledged", "it names payloads that were not sent, or takes back"
    LINK_UNEXPECTED = "link/unexpected", "a frame of this kind has no place here"
    LINK_FLOOD = "link/flood", "too many frames that bring nothing on"

    # Chat: a line that is not taken; the table goes on.
    CHAT_SEAT = "chat/seat", "nobody at this table has such a seat"
    CHAT_TEXT = "chat/text", "the line is empty, too long, or has what cannot be seen"
    CHAT_STALE = "chat/stale", "this line, or a later one of the same seat, is here already"
    CHAT_FLOOD = "chat/flood", "too many lines in so short a time"

    # Lobby: what somebody wants or offers before there is a table does not fit.
    LOBBY_INVITE = "lobby/invite", "the text is no invite, or not the whole of one"
    LOBBY_UNKNOWN = "lobby/unknown", "there is no such lobby here"
    LOBBY_VERSION = "lobby/version", "the programs speak different versions of the protocol"
    LOBBY_SECRET = "lobby/secret", "the secret of the invite is not known, or not valid any more"
    LOBBY_SENDER = "lobby/sender", "it speaks for another key than the one that sent it"
    LOBBY_NAME = "lobby/name", "the name looks like one that is taken"
    LOBBY_FULL = "lobby/full", "all places are taken"
    LOBBY_STARTED = "lobby/started", "the table has been founded without this player"
    LOBBY_CLOSED = "lobby/closed", "the host has closed the lobby"
    LOBBY_REMOVED = "lobby/removed", "the host has removed this player"
    LOBBY_RESTLESS = "lobby/restless", "this player has come and gone too often"
    LOBBY_OFFER = "lobby/offer", "the offer contradicts itself, or does not seat its reader rightly"
    LOBBY_TWO_OFFERS = "lobby/two-offers", "the host has signed two offers under one number"
    LOBBY_STALE = "lobby/stale", "it is not about what is offered now"
    LOBBY_ANSWER = "lobby/answer", "it is not the answer that the seat has given to this offer"
    LOBBY_ADDRESS = "lobby/address", "the addresses are those of a stranger, or not the latest"
    LOBBY_UNEXPECTED = "lobby/unexpected", "a message of this kind has no place here now"

    # Our own mistakes.
    LOCAL_UNFRAMABLE = "local/unframable", "a value cannot be encoded"
    LOCAL_ARGUMENT = "local/argument", "an argument is not allowed"
    LOCAL_SECRET = "local/secret", "this seed does not own the key"
    LOCAL_STALE = "local/stale", "the part was checked over another state, or at another moment"
    LOCAL_JOURNAL = (
        "local/journal",
        "the stored records are not those of this table, whole and in order",
    )
    LOCAL_MAY_NOT_SIGN = "local/may-not-sign", "the rules do not let this seat sign that now"
    LOCAL_APPLICATION = "local/application", "the layer above failed where it may only judge"
    LOCAL_BOX = "local/box", "the box does not open with this key, or was changed"
    LOCAL_STORE = "local/store", "what this machine keeps cannot be used"
