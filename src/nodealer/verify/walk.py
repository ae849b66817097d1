"""From entry to entry: every check that an entry of a history has to pass.

The walk holds the chain as far as it was walked, with the states that replay has come to last;
those far below are forgotten, as at a table, unless all of it `is_told`. It goes
on after a failure: an entry that is not in order is still the parent that the next one is compared
with. Once replay has failed there is no state any more, and what needs one is not run from there.

Nothing is judged here by code of its own. Whether an entry is legal says `ledger.chain.follow`
over the same `table.Replay` that seats use; whether it is complete says `ledger.certificates`. What
is added is which class a refusal belongs to, and whom it names.

Whom a failure names. Only a seat that has signed what is wrong, in the place for which it signed
it. What replay refuses names whom evidence names (`ledger.guilt`), judged as everywhere else. What
contradicts itself binds as well: a height that the parent named beside it denies. Everything else
that is wrong with a file, a missing, repeated or moved message, is the doing of whoever made it.
Behind an entry that does not lie over the one before it, places and rosters are not known any more,
and the walk names nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from nodealer.kernel import Bug, EntryId, Height, PeerError, Reason, Seat
from nodealer.ledger import (
    SETTLED_DEPTH,
    Application,
    Certificate,
    ChainEntry,
    ChainMemory,
    Charter,
    Checker,
    Content,
    Contribution,
    DueStep,
    Entry,
    Evidence,
    Followed,
    Ground,
    Seal,
    Signed,
    Vote,
    against_sealer,
    broken_vote,
    built_on,
    chain_of,
    check_certificate,
    check_signed,
    extended,
    first_link,
    follow,
    forget_far,
    judge_contribution,
    over,
    sealed,
)
from nodealer.verify.contradictions import KnownHistory, NotReplayed, judge_evidence
from nodealer.verify.history import GameResults
from nodealer.verify.report import Check, Failure, Tally
from nodealer.verify.shape import bound, is_grounded, is_in_order, misnames, openings
from nodealer.verify.unknown_state import NoState

_CRYPTOGRAPHY: Final = ("proof", "group", "commit", "deck", "encoding")
"""The layers whose refusals of a contribution are about what it shows, not whether it is due."""

_CLASSES: Final = {
    Reason.LEDGER_WRONG_PLACE: Check.CHAIN,
    Reason.LEDGER_BUILDS_ON_OTHER: Check.CHAIN,
    Reason.LEDGER_CONTRIBUTIONS_MISSING: Check.COMPLETENESS,
}


class Walk:
    """A chain that is walked, the checks so far, and everything with a good signature."""

    def __init__(
        self,
        charter: Charter,
        state: Application | None,
        checker: Checker,
        tally: Tally,
        *,
        is_told: bool = False,
    ) -> None:
        self.charter = charter
        self.tally = tally
        self.checker = checker
        self.is_replayed = state is not None
        self.is_linked = True
        self.tip = first_link(
            charter,
            NoState() if state is None else state,
            Certificate(EntryId(charter.table), 0),
            memory=ChainMemory(is_forgetting=not is_told, is_packing=False),
        )
        self.known = KnownHistory()
        self.known.add(self.tip)
        self.results = GameResults()
        self.results.note(self.tip)
        self.certificates: dict[tuple[bytes, int], Certificate] = {}
        self.grounds: list[tuple[int, Evidence]] = []
        self.signed: list[Signed] = []
        self._good: dict[int, bool] = {}

    def found(self, certificate: Certificate) -> None:
        """Hold the charter as sealed by all."""
        self.tip = sealed(self.tip, certificate)
        self.known.links[self.tip.id] = self.tip

    # Counting.

    def fail(
        self,
        check: Check,
        expected: str,
        found: str,
        *,
        seat: Seat | None = None,
        height: int | None = None,
    ) -> None:
        """Count a check that failed, at the next height where no other is given."""
        at = self.tip.height + 1 if height is None else height
        self.tally.failed(Failure(check, at, expected, found, seat))

    def require(
        self, check: Check, *, holds: bool, expected: str, found: str, seat: Seat | None = None
    ) -> bool:
        """Count a check; say whether it passed."""
        if holds:
            self.tally.passed(check)
        else:
            self.fail(check, expected, found, seat=seat)
        return holds

    def is_signed(self, one: Signed, height: int | None = None) -> bool:
        """Check a signature, once; say whether it is good."""
        known = self._good.get(id(one))
        if known is not None:
            return known
        try:
            check_signed(self.checker, one)
        except PeerError as error:
            is_somebody = one.seat < len(self.charter.keys)
            check = Check.SIGNATURES if is_somebody else Check.IDENTITY
            found = f"{_kind(one)}: {error.slug}"
            self.fail(check, f"a signature of seat {one.seat}", found, height=height)
            self._good[id(one)] = False
            return False
        self.tally.passed(Check.SIGNATURES)
        is_ours = one.table == self.charter.table
        if is_ours:
            self.signed.append(one)
        else:
            table = _short(self.charter.table)
            found = f"a {_kind(one)} at {_short(one.table)}"
            self.fail(Check.CHAIN, f"what was signed at table {table}", found, height=height)
        self._good[id(one)] = is_ours
        return is_ours

    def is_certified(self, certificate: Certificate) -> bool:
        """Check the signatures in a certificate; say whether all are good."""
        return all(list(map(self.is_signed, certificate.messages)))

    # An entry.

    def enter(self, message: Entry) -> None:
        """Check an entry over the tip, and make it the tip."""
        content, certificate = message.content, message.certificate
        for one in message.contributions:
            self._is_at("a contribution", one)
        sealed = [seal for seal in certificate.seals if self._is_on(seal, content)]
        voted = [vote for vote in certificate.votes if self._is_cast(vote)]
        fits = len(sealed) + len(voted) == len(certificate.seals) + len(certificate.votes)
        is_placed = self._is_placed(message)
        is_whole = self._is_whole(message)
        self._complete(message, fits=fits and is_placed and is_whole)
        self.is_linked = self.is_linked and is_placed
        followed = self._replayed(message)
        self._move(message, followed)

    def _is_placed(self, message: Entry) -> bool:
        """Check that a content is over the tip."""
        content, tip = message.content, self.tip
        place = (content.table, content.height, content.parent)
        sealer = self._sealer(message)
        contradicts = self.is_linked and content.parent == tip.id
        return self.require(
            Check.CHAIN,
            holds=place == (tip.table, tip.height + 1, tip.id),
            expected=f"height {tip.height + 1} over {_short(tip.id)}",
            found=f"height {content.height} over {_short(content.parent)}",
            seat=sealer.seat if sealer is not None and contradicts else None,
        )

    def _is_whole(self, message: Entry) -> bool:
        """Check that what the content names lies there, and a certificate of it."""
        content = message.content
        given = tuple((one.seat, one.id) for one in message.contributions)
        sealer = self._sealer(message) if misnames(content, message.contributions) else None
        is_given = self.require(
            Check.CHAIN,
            holds=content.contributions == given,
            expected="the contributions that the entry names, in order",
            found=f"{len(given)} other contributions, or another order",
            seat=None if sealer is None else sealer.seat,
        )
        is_named = self.require(
            Check.CHAIN,
            holds=message.certificate.entry == content.id,
            expected=f"a certificate of {_short(content.id)}",
            found=f"one of {_short(message.certificate.entry)}",
        )
        return is_given and is_named

    def _sealer(self, message: Entry) -> Seal | None:
        """Return the seal by which a content binds somebody: the author's, or the lowest one."""
        content = message.content
        good = [seal for seal in message.certificate.seals if seal.entry == content.id]
        return bound(content, [seal for seal in good if self.is_signed(seal)])

    def _is_on(self, seal: Seal, content: Content) -> bool:
        if not self._is_at("a seal", seal):
            return False
        if seal.entry == content.id:
            self.tally.passed(Check.CHAIN)
            return True
        expected = f"a seal of seat {seal.seat} on {_short(content.id)}"
        self.fail(Check.CHAIN, expected, f"one on {_short(seal.entry)}")
        return False

    def _is_cast(self, vote: Vote) -> bool:
        if not self._is_at("a vote", vote):
            return False
        broken = broken_vote(vote, self.tip.roster) if self.is_linked else None
        if broken is None:
            return True
        expected, found = f"a vote that seat {vote.seat} may cast", Reason.LEDGER_VOTE.meaning
        self.fail(Check.COMPLETENESS, expected, found, seat=self._named([broken]))
        return False

    def _is_at(self, what: str, one: Contribution | Seal | Vote) -> bool:
        """Check that something is signed over the tip; a height that its parent denies binds."""
        tip, parent = self.tip, over(one)
        is_good = self.is_signed(one)
        if (one.table, one.height, parent) == (tip.table, tip.height + 1, tip.id):
            self.tally.passed(Check.CHAIN)
            return True
        contradicts = self.is_linked and is_good and parent == tip.id
        self.fail(
            Check.CHAIN,
            f"{what} of seat {one.seat} at height {tip.height + 1} over {_short(tip.id)}",
            f"one at height {one.height} over {_short(parent or b'')}",
            seat=one.seat if contradicts else None,
        )
        return False

    def _named(self, against: Iterable[Evidence]) -> Seat | None:
        """Return the seat that the first of these evidences names that holds."""
        for evidence in against:
            try:
                judge_evidence(evidence, self.known, self.checker)
            except (PeerError, NotReplayed):
                continue
            return evidence.seat
        return None

    # Complete.

    def _complete(self, message: Entry, *, fits: bool) -> None:
        for beside in message.beside:
            self._take_beside(beside, message.content)
        for ground in message.certificate.grounds:
            self.hear(ground)
        self.require(
            Check.COMPLETENESS,
            holds=is_in_order(message),
            expected="beside an entry what it rests on, each once and the lowest first",
            found=f"{len(message.beside)} certificates",
        )
        if not fits:
            self.tally.not_run(Check.COMPLETENESS)
            return
        self._certify(self.tip, message.content, message.certificate)

    def _take_beside(self, certificate: Certificate, known: Content) -> None:
        self.is_certified(certificate)
        for ground in certificate.grounds:
            self.hear(ground)
        signed = certificate.messages
        base = self.known.links.get(signed[0].parent) if signed else None
        content = None if base is None else self._content_of(certificate, known)
        if base is None or content is None:
            self.fail(
                Check.COMPLETENESS,
                "a certificate of an entry that is known here",
                f"one of {_short(certificate.entry)}",
            )
            return
        self._certify(base, content, certificate)

    def _content_of(self, certificate: Certificate, known: Content) -> Content | None:
        """Return the content that is certified; an entry rests on itself and on those below it."""
        if known.id == certificate.entry:
            return known
        link = self.known.links.get(certificate.entry)
        return None if link is None else link.content

    def _certify(self, base: ChainEntry, content: Content, certificate: Certificate) -> None:
        try:
            check_certificate(base, content, certificate, self.backed)
        except PeerError as error:
            self.fail(Check.COMPLETENESS, "a certificate that makes it complete", str(error))
            return
        self.require(
            Check.COMPLETENESS,
            holds=is_grounded(content, certificate),
            expected="no grounds, or one for each seat that is left out",
            found=f"{len(certificate.grounds)} grounds",
        )
        if self.is_certified(certificate):
            self.certificates[certificate.entry, certificate.rank] = certificate

    def backed(self, entry: bytes, rank: int) -> bool:
        """Say whether the certificate of an entry with a rank was found good, or is not needed."""
        if (entry, rank) in self.certificates:
            return True
        link = self.known.links.get(entry)
        return link is not None and link.height <= self.tip.height - SETTLED_DEPTH

    def hear(self, ground: Ground) -> None:
        """Check the signatures of a ground; evidence is judged once the whole chain is known."""
        if isinstance(ground, Evidence):
            for one in ground.messages:
                self.is_signed(one)
            self.grounds.append((self.tip.height + 1, ground))
        else:
            self.is_signed(ground)

    # Replay.

    def _replayed(self, message: Entry) -> Followed | None:
        content = message.content
        if not (self.is_replayed and self.is_linked):
            if content.contributions and not isinstance(content.step, DueStep):
                expected, found = "contributions to a due step", "some to another step"
                self.fail(Check.COMPLETENESS, expected, found)
            self.tally.not_run(Check.CRYPTOGRAPHY, len(message.contributions))
            self.tally.not_run(Check.RULES)
            return None
        try:
            self._judge_contributions(message)
            followed = follow(self.tip, content, message.contributions)
        except PeerError as error:
            self._refuse(error, self._against_content(message))
        except _ContributionRefused:
            self.tally.not_run(Check.RULES)  # what was refused is counted where it was found
        except Exception as error:  # noqa: BLE001 - whatever rules do, the judge goes on
            detail = error.detail if isinstance(error, Bug) else repr(error)
            self.fail(Check.RULES, "a replay that comes to an end", detail)
        else:
            self.tally.passed(Check.RULES)
            self.tally.passed(Check.CRYPTOGRAPHY, openings(content))
            return followed
        self.is_replayed = False
        return None

    def _judge_contributions(self, message: Entry) -> None:
        by_id = {bytes(one.id): one for one in message.contributions}
        for one in message.contributions:
            try:
                _judge_contribution(self.tip, one, by_id)
            except PeerError as error:
                is_shown = error.slug.split("/")[0] in _CRYPTOGRAPHY
                check = _CLASSES.get(error.reason, Check.RULES)
                against = Evidence("E5", one.seat, (one, *built_on(self.tip, one, by_id)))
                self.fail(
                    Check.CRYPTOGRAPHY if is_shown else check,
                    f"a contribution of seat {one.seat} that holds",
                    str(error),
                    seat=self._named([against, *self._against_content(message)]),
                )
                raise _ContributionRefused from error
            self.tally.passed(Check.CRYPTOGRAPHY)

    def _against_content(self, message: Entry) -> list[Evidence]:
        """Return what there is against whoever has sealed a content, if it is refused."""
        sealer = self._sealer(message)
        if sealer is None:
            return []
        return [against_sealer(message.content, sealer, message.contributions)]

    def _refuse(self, error: PeerError, against: Iterable[Evidence]) -> None:
        is_shown = error.slug.split("/")[0] in _CRYPTOGRAPHY and not error.slug.startswith("enc")
        check = _CLASSES.get(error.reason, Check.RULES)
        expected = "a step that the rules allow, and the state after it"
        seat = self._named(against)
        self.fail(Check.CRYPTOGRAPHY if is_shown else check, expected, str(error), seat=seat)

    def _move(self, message: Entry, followed: Followed | None) -> None:
        blind = Followed(message.content, message.contributions, NoState(is_linked=self.is_linked))
        given = (message.certificate, message.beside)
        try:
            link = extended(self.tip, followed or blind, *given)
        except (PeerError, Bug) as error:
            self.fail(Check.RULES, "a state in which something is due", error.detail)
            self.is_replayed = False
            link = extended(self.tip, blind, *given)
        self.tip = replace(link, height=Height(self.tip.height + 1))
        self.known.add(self.tip)
        self.results.note(self.tip)
        if self.is_replayed:  # without a replay there is nothing to be made again
            forget_far(self.tip)


class _ContributionRefused(Exception):  # noqa: N818 - it says what happened
    """A contribution was refused and counted."""


def _judge_contribution(
    link: ChainEntry, one: Contribution, known: Mapping[bytes, Contribution]
) -> None:
    chain = chain_of(link, one, known.get)
    if chain is None:
        raise PeerError(Reason.LEDGER_BUILDS_ON_OTHER, "on one that is not here")
    judge_contribution(link, one, chain)


def _kind(one: Signed) -> str:
    return type(one).__name__.lower()


def _short(entry: bytes) -> str:
    return entry.hex()[:12]
