"""The identifiers that every layer shares, as types of their own so that they cannot be mixed up.

They are plain integers and byte strings at run time. A seat is a place at a table, numbered from
0; a slot is a masked card with a public number that is never used twice at one table; the three
hashes are SHA-256 values, 32 bytes each.
"""

from typing import NewType

Seat = NewType("Seat", int)
SlotId = NewType("SlotId", int)
Height = NewType("Height", int)

TableId = NewType("TableId", bytes)
EntryId = NewType("EntryId", bytes)
EpochId = NewType("EpochId", bytes)

ID_BYTES = 32
"""Length of every hash that serves as an identifier."""
