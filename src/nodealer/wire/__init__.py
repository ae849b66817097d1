"""The border that bytes of strangers cross: what comes through it has a type and keeps its bounds.

Everything that peers send, that a transcript holds or that an invite carries is one item of
deterministic CBOR, and passes here twice. `cbor` decides whether the bytes are an item of the
profile at all, with one form for every value and a bound on every cost. `schema` decides whether
the item is a message of the kind that is expected here, and returns it as a frozen dataclass;
`codecs` holds the parts of which kinds are declared. Above this package nobody measures a length,
tests a type or counts fields again.

What each half promises:

- for any bytes, reading ends in a value or in one `PeerError` with one reason. No other exception,
  no more memory and no more time than the sender spent on it;
- what was read, written again, is the same bytes; what was written, every peer can read;
- the reason does not depend on the implementation: the first thing wrong, from left to right, with
  the order of the checks laid down in `cbor`, and version before kind before fields.

The package knows no card, key, signature or game, and no network. Layers above declare their
messages with `Schema` and bring codecs for types of their own; nothing here is registered or
configured, so that two kinds cannot disturb each other.
"""

from nodealer.wire.cbor import decode, decode_head
from nodealer.wire.codecs import (
    Codec,
    boolean,
    bytes_in_units,
    bytes_up_to,
    choice,
    exact_bytes,
    integer,
    mapped,
    misshapen,
    misused,
    optional,
    text_up_to,
    tuple_of,
    uint,
)
from nodealer.wire.schema import (
    KIND_BYTES_MAX,
    VERSION,
    AnyField,
    Field,
    RecordCodec,
    Schema,
    peek_kind,
    read_one,
)
from nodealer.wire.sequence import split

__all__ = [
    "KIND_BYTES_MAX",
    "VERSION",
    "AnyField",
    "Codec",
    "Field",
    "RecordCodec",
    "Schema",
    "boolean",
    "bytes_in_units",
    "bytes_up_to",
    "choice",
    "decode",
    "decode_head",
    "exact_bytes",
    "integer",
    "mapped",
    "misshapen",
    "misused",
    "optional",
    "peek_kind",
    "read_one",
    "split",
    "text_up_to",
    "tuple_of",
    "uint",
]
