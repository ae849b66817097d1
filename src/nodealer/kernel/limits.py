"""Every bound of the core, each with its reason.

A bound is part of the protocol: two implementations that disagree on one of them would disagree
on which messages exist. Raising a bound is a new protocol version.
"""

SEATS_MIN = 2
"""Fewer than two seats have nobody to hide a card from."""

SEATS_MAX = 10
"""The largest of the four games; a deal costs the square of the seats."""

CARDS_MAX = 256
"""The largest deck in use has 210 cards (6 nimmt! with ten players and long hands)."""

WORD_BYTES_MAX = 64
"""Kinds, reasons, policies, ids and names of fields are short words."""

FACE_NAME_BYTES_MAX = 64
"""Face names are short words of a game, such as `QH` or `potato`."""

MESSAGE_BYTES_MAX = 1 << 20
"""A shuffle of 256 cards takes 50 kB; one MiB leaves room and still bounds a flooder's cost."""

NESTING_MAX = 8
"""Messages are shallow; a bound on nesting is a bound on the decoder's stack."""

ITEMS_MAX = 1 << 14
"""Items in one message, however they are nested: bounds the memory that small bytes can claim."""

UINT_MAX = (1 << 64) - 1
"""Integers on the wire are those that CBOR writes without a tag."""

OPENED_VALUE_BYTES_MAX = 1024
"""The longest value that a hidden choice can commit to."""

DERIVE_TRIES_MAX = 256
"""Rejection sampling ends long before this; a loop without a bound is a bug waiting."""
