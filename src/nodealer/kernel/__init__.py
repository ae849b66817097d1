"""The ground of every layer: identifiers, limits, reasons, errors, values that change, framing."""

from nodealer.kernel.chance import Chance
from nodealer.kernel.changing import changed
from nodealer.kernel.errors import Bug, LocalError, NodealerError, PeerError
from nodealer.kernel.framing import Value, array_of, digest, digest_of, encode, frame, map_of
from nodealer.kernel.ids import ID_BYTES, EntryId, EpochId, Height, Seat, SlotId, TableId
from nodealer.kernel.limits import (
    CARDS_MAX,
    DERIVE_TRIES_MAX,
    FACE_NAME_BYTES_MAX,
    ITEMS_MAX,
    MESSAGE_BYTES_MAX,
    NESTING_MAX,
    OPENED_VALUE_BYTES_MAX,
    SEATS_MAX,
    SEATS_MIN,
    UINT_MAX,
    WORD_BYTES_MAX,
)
from nodealer.kernel.rates import Rate
from nodealer.kernel.reach import Cause, Counts, Ended, Reach, Tallied, Traffic, Way
from nodealer.kernel.reasons import Reason

__all__ = [
    "CARDS_MAX",
    "DERIVE_TRIES_MAX",
    "FACE_NAME_BYTES_MAX",
    "ID_BYTES",
    "ITEMS_MAX",
    "MESSAGE_BYTES_MAX",
    "NESTING_MAX",
    "OPENED_VALUE_BYTES_MAX",
    "SEATS_MAX",
    "SEATS_MIN",
    "UINT_MAX",
    "WORD_BYTES_MAX",
    "Bug",
    "Cause",
    "Chance",
    "Counts",
    "Ended",
    "EntryId",
    "EpochId",
    "Height",
    "LocalError",
    "NodealerError",
    "PeerError",
    "Rate",
    "Reach",
    "Reason",
    "Seat",
    "SlotId",
    "TableId",
    "Tallied",
    "Traffic",
    "Value",
    "Way",
    "array_of",
    "changed",
    "digest",
    "digest_of",
    "encode",
    "frame",
    "map_of",
]
