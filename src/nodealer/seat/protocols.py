"""Which protocols there are, and at which tables each can be spoken."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from nodealer.games.api import Options
from nodealer.kernel import LocalError, Reason
from nodealer.seat.protocol import SeatProtocol
from nodealer.seat.sixty_six_v1 import SixtySixV1
from nodealer.seat.sixty_six_v2 import SixtySixV2
from nodealer.seat.take5 import Take5Protocol

PROTOCOLS: Final[Mapping[str, SeatProtocol]] = MappingProxyType(
    {one.name: one for one in (Take5Protocol(), SixtySixV1(), SixtySixV2())}
)


def protocol_for(name: str, game: str, options: Options) -> SeatProtocol:
    """Return a protocol for a table with this game and these options, or raise `LocalError`."""
    protocol = PROTOCOLS[name]
    if protocol.game != game:
        detail = f"{name} is a protocol for {protocol.game}, and this table plays {game}"
        raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    for option, value in protocol.options:
        if options[option] != value:
            detail = f"{name} needs {option}={value}; this table has {option}={options[option]}"
            raise LocalError(Reason.LOCAL_ARGUMENT, detail)
    return protocol
