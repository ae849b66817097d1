"""The ground of every layer: identifiers, limits, reasons, errors, values that change, framing."""

from nodealer.kernel.changing import changed
from nodealer.kernel.errors import Bug, LocalError, NodealerError, PeerError
from nodealer.kernel.framing import Value, array_of, digest, digest_of, encode, frame, map_of
from nodealer.kernel.ids import ID_BYTES, EntryId, EpochId, Height, Seat, SlotId, TableId
from nodealer.kernel.reach import Cause, Counts, Ended, Reach, Tallied, Traffic, Way
from nodealer.kernel.reasons import Reason

__all__ = [
    "ID_BYTES",
    "Bug",
    "Cause",
    "Counts",
    "Ended",
    "EntryId",
    "EpochId",
    "Height",
    "LocalError",
    "NodealerError",
    "PeerError",
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
