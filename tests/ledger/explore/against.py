"""What seats have stored of each other, as numbers with one bit for each statement.

What honest seats have of Byzantine ones can prove these guilty. What two sets of statements prove
together, they prove as one set: evidence is two statements of one seat. So it is enough to know of
each statement which others contradict it. The content that some evidence needs besides is an entry
that the holder of a statement has stored with it.
"""

from __future__ import annotations

from collections.abc import Iterable

from nodealer.kernel import Seat
from nodealer.ledger import LedgerMessage
from nodealer.ledger.objects import Content, Signed
from tests.ledger.explore.journal import all_signed, contents_of, is_told, ones
from tests.ledger.explore.setting import Setting
from tests.ledger.proving import prove_all


class Against:
    """The statements of the seats of a table that others have stored."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.statements: list[Signed] = []
        self.byzantine = 0
        """Those of Byzantine seats."""
        self._numbers: dict[object, int] = {}
        self._contrary: list[int] = []
        self._contents: dict[bytes, Content] = {}
        self._proofs: dict[int, bool] = {}

    def stored(self, seat: Seat, stored: Iterable[LedgerMessage]) -> int:
        """Return what messages hold of others than the seat that has stored them."""
        told = [message for message in stored if is_told(message)]
        for content in contents_of(told):
            self._contents.setdefault(content.id, content)
        return self.signed(one for one in all_signed(told) if one.seat != seat)

    def signed(self, statements: Iterable[Signed]) -> int:
        """Return these statements as one number."""
        found = 0
        for one in statements:
            found |= 1 << self._number(one)
        return found

    def is_proof(self, against: int) -> bool:
        """Say whether some of these statements of Byzantine seats contradict each other."""
        known = self._proofs.get(against)
        if known is None:
            known = any(self._contrary[number] & against for number in ones(against))
            self._proofs[against] = known
        return known

    def _number(self, one: Signed) -> int:
        key = (type(one), one.body())
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.statements)
            self.statements.append(one)
            self._contrary.append(0)
            if one.seat in self.setting.byzantine:
                self.byzantine |= 1 << number
                self._compare(number, one)
        return number

    def _compare(self, number: int, one: Signed) -> None:
        for other in ones(self.byzantine):
            proofs = prove_all((self.statements[other], one), self._contents.values())
            if other != number and any(proof.code in self.setting.codes for proof in proofs):
                self._contrary[number] |= 1 << other
                self._contrary[other] |= 1 << number
