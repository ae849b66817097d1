"""What is known of a table: its files, and everything that was sent there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nodealer.crypto.signing import SigningKey
from nodealer.games.base import AnyGame
from nodealer.kernel import LocalError, Reason, Seat
from nodealer.ledger import Charter, LedgerMessage
from nodealer.table import Player, Table
from nodealer.verify import Transcript


@dataclass(frozen=True)
class History:
    """What is known of a table: its files, what was sent there, and, for tests, its keys.

    `tables` are those of all seats at the end, `earlier` those of the moments of the files. There
    may be a liar, whose key the forger has then.
    """

    name: str
    game: AnyGame
    charter: Charter
    files: tuple[Transcript, ...]
    sent: tuple[LedgerMessage, ...]
    players: Mapping[Seat, Player]
    tables: Mapping[Seat, Table]
    earlier: tuple[Table, ...] = ()
    liar: Seat | None = None

    @property
    def signers(self) -> Mapping[Seat, SigningKey]:
        """The identity keys by seat."""
        return {seat: player.signer for seat, player in self.players.items()}

    def find(self, _: str, __: int) -> AnyGame:
        """Return the game, whatever is asked for."""
        return self.game

    def find_none(self, name: str, _: int) -> AnyGame:
        """Return no game: the reader has not installed it."""
        raise LocalError(Reason.LOCAL_ARGUMENT, name)
