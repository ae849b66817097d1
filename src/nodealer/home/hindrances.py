"""The hindrances of a lobby: why a wish of its host or guest is not granted yet, each by a name.

What is raised says what is wrong and not what to type: whoever shows it knows how the player can go
on.
"""

from __future__ import annotations

from collections.abc import Sequence

from nodealer.kernel import LocalError, Reason
from nodealer.lobby import Attendee, advice


class LobbyError(LocalError):
    """A lobby that this player cannot be in, with what to do about it."""

    @property
    def advice(self) -> str:
        """What the player can do."""
        told = advice(self.reason)
        return f"{told[:1].upper()}{told[1:]}." if told else "The table was not founded."


class FreeSeatError(LocalError):
    """Nobody has one of the seats."""

    def __init__(self) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, "a seat is free")


class OtherKeyError(LocalError):
    """People go by the names of friends, and nobody has said that their new keys are theirs."""

    def __init__(self, people: Sequence[Attendee]) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, "words have to be compared first")
        self.names = tuple(one.name for one in people)


class UnreadOfferError(LocalError):
    """The offer of the moment was not told to the player, or only just now."""

    def __init__(self) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, "what is offered has just changed")


class NothingOfferedError(LocalError):
    """There is no offer yet that the player could accept."""

    def __init__(self) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, "there is nothing to accept yet")


class NobodyError(LocalError):
    """Somebody was named who is not here."""

    def __init__(self, name: str) -> None:
        super().__init__(Reason.LOCAL_ARGUMENT, f"there is nobody called {name!r} here")
