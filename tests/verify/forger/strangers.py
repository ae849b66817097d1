"""What somebody without any key can do to a file: take everything apart and put it together again.

What is signed is dropped, repeated, moved and exchanged; what is not is rewritten at will. Nothing
of this may ever put blame on anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from nodealer.kernel import EntryId, Seat
from nodealer.ledger import AuthoredStep, Certificate, Content, DueStep, Entry, Evidence, EvictStep
from nodealer.ledger import Contribution, Leave, Refusal, Seal, Vote
from nodealer.ledger.messages import Contributed, Left, Proposal, Refused, Sealed, Voted
from nodealer.ledger.objects import Part, Step
from tests.verify.forger.forgery import Hand, Nothing, Operation, changed, refitted

NOTHING_HASHED: Final = bytes(32)
CODES: Final = ("E1", "E2", "E3", "E4", "E5", "E6", "E7")


# The order of the file.


def cut(hand: Hand) -> None:
    """Cut the file after an entry, and keep what was open at its end or not."""
    at = hand.at()
    file = replace(hand.file, entries=hand.file.entries[:at])
    hand.file = file if hand.happens(50) else replace(file, open=(), evidence=())
    hand.tell("cut before entry", at + 1)


def drop_entry(hand: Hand) -> None:
    """Leave an entry out."""
    at = hand.at()
    entries = hand.file.entries
    hand.file = replace(hand.file, entries=(*entries[:at], *entries[at + 1 :]))
    hand.tell("dropped entry", at + 1)


def repeat_entry(hand: Hand) -> None:
    """Write an entry a second time, anywhere."""
    entry = hand.one(hand.file.entries)
    insert(hand, entry)


def swap_entries(hand: Hand) -> None:
    """Exchange two entries."""
    entries = list(hand.file.entries)
    first, second = hand.at(), hand.at()
    entries[first], entries[second] = entries[second], entries[first]
    hand.file = replace(hand.file, entries=tuple(entries))
    hand.tell("exchanged entries", first + 1, second + 1)


def foreign_entry(hand: Hand) -> None:
    """Put an entry of another copy or of another table anywhere."""
    table = hand.pieces if hand.happens(70) else hand.elsewhere
    insert(hand, hand.one(table.entries))


def insert(hand: Hand, entry: Entry) -> None:
    """Put an entry before another one, or in its place."""
    entries = hand.file.entries
    at, more = hand.chance.randint(0, len(entries)), hand.chance.randint(0, 1)
    hand.file = replace(hand.file, entries=(*entries[:at], entry, *entries[at + more :]))
    hand.tell("put an entry of height", entry.content.height, "at", at + 1, "in place of", more)


def splice(hand: Hand) -> None:
    """Go on from some entry with another copy, from anywhere."""
    other = hand.one(hand.history.files)
    at, since = hand.at(), hand.chance.randint(0, len(other.entries))
    if hand.happens(50):
        since = min(at, len(other.entries))
    entries = (*hand.file.entries[:at], *other.entries[since:])
    hand.file = replace(hand.file, entries=entries, open=other.open, evidence=other.evidence)
    hand.tell("spliced entry", at + 1, "to", since + 1, "of another copy")


def refit(hand: Hand) -> None:
    """Let the contents name each other as parents again, from some place on."""
    at = hand.at()
    hand.file = replace(hand.file, entries=refitted(hand.file.entries, at))
    hand.tell("refitted from entry", at + 1)


# The founding.


def rewrite_founding(hand: Hand) -> None:
    """Change the seals of the charter, or the charter."""
    file, seals = hand.file, list(hand.file.seals)
    match hand.chance.randrange(6):
        case 0:
            del seals[hand.chance.randrange(len(seals))]
        case 1:
            seals.append(hand.one(seals))
        case 2:
            hand.chance.shuffle(seals)
        case 3:
            seals[hand.chance.randrange(len(seals))] = hand.one(hand.pieces.seals)
        case 4:
            other = [seal for seal in hand.elsewhere.seals if seal.height == 0]
            seals[hand.chance.randrange(len(seals))] = hand.one(other)
        case _:
            keys = list(file.charter.keys)
            hand.chance.shuffle(keys)
            change: dict[str, object] = hand.one(
                [
                    {"keys": tuple(keys)},
                    {"policy": "void"},
                    {"clock": replace(file.charter.clock, act=1)},
                    {"terms": hand.history.charter.terms[:-1] + b"x"},
                ]
            )
            hand.file = replace(file, charter=changed(file.charter, **change))
            hand.tell("charter with other", *change)
            return
    hand.file = replace(file, seals=tuple(seals))
    hand.tell("charter sealed by", *[seal.seat for seal in seals])


# Contents, which nobody has signed but by sealing them.


def rewrite_content(hand: Hand) -> None:
    """Change one field of a content; its certificate names it or does not."""
    at = hand.at()
    content = hand.file.entries[at].content
    match hand.chance.randrange(6):
        case 0:
            change: dict[str, object] = {"state": hand.one(hand.pieces.contents).state}
        case 1:
            change = {"parent": hand.one([*hand.pieces.contents, *hand.elsewhere.contents]).id}
        case 2:
            change = {"height": hand.chance.randint(0, content.height + 2)}
        case 3:
            change = {"contributions": _other_given(hand, content)}
        case 4:
            change = {"table": hand.elsewhere.contents[0].table}
        case _:
            change = {"step": other_step(hand, content.step)}
    named = hand.happens(60)
    hand.recontent(at, changed(content, **change), named=named)
    hand.tell("content", at + 1, "with another", *change, "named" if named else "not named")


def _other_given(hand: Hand, content: Content) -> tuple[tuple[Seat, bytes], ...]:
    given = list(content.contributions)
    match hand.chance.randrange(4):
        case 0 if given:
            del given[hand.chance.randrange(len(given))]
        case 1 if given:
            given.append(hand.one(given))
        case 2 if given:
            hand.chance.shuffle(given)
        case _:
            one = hand.one(hand.pieces.contributions)
            given.append((one.seat, one.id))
    return tuple(given[:10])


def other_step(hand: Hand, step: Step) -> Step:
    """Return another step in place of one."""
    seats = hand.history.charter.seats
    match step:
        case AuthoredStep(seat, action) if hand.happens(70):
            actions = [
                one.step.action
                for one in hand.pieces.contents
                if isinstance(one.step, AuthoredStep)
            ]
            if hand.happens(40):
                return AuthoredStep(hand.one(seats), action)
            if hand.happens(60):
                return AuthoredStep(seat, hand.one(actions))
            return AuthoredStep(seat, action[:-1] + bytes([hand.chance.randrange(256)]))
        case DueStep(parts) if parts and hand.happens(70):
            return DueStep(_other_parts(hand, parts))
        case EvictStep(number, out) if hand.happens(70):
            if hand.happens(50):
                return EvictStep(number + hand.chance.randint(0, 2), out)
            return EvictStep(number, tuple(sorted(hand.some(seats, 3))))
        case _:
            return hand.one([one.step for one in hand.pieces.contents])


def _other_parts(hand: Hand, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    at = hand.chance.randrange(len(parts))
    part = parts[at]
    match hand.chance.randrange(6):
        case 0 | 1:
            part = replace(part, binding=not part.binding)
        case 2:
            part = replace(part, chained=not part.chained)
        case 3:
            part = replace(part, seats=tuple(sorted(hand.some(part.seats, 3))))
        case 4:
            part = replace(part, label=a_label(hand))
        case _:
            return (*parts, Part(a_label(hand), "commit", part.seats, binding=True, chained=False))
    return (*parts[:at], part, *parts[at + 1 :])


def a_label(hand: Hand) -> bytes:
    """Return the label of something that was contributed."""
    label, _ = hand.one(hand.one(hand.pieces.contributions).payloads)
    return label


def made_up_entry(hand: Hand) -> None:
    """Put in an entry that nobody has signed, over what lies before it, with any certificate."""
    entries = hand.file.entries
    at, more = hand.chance.randint(0, len(entries)), hand.chance.randint(0, 1)
    parent = entries[at - 1].content.id if at else EntryId(hand.file.charter.table)
    step: Step
    match hand.chance.randrange(3):
        case 0:
            out = tuple(sorted(hand.some(hand.history.charter.seats, 2)))
            step = EvictStep(hand.chance.randint(0, 3), out)
        case 1:
            seats = hand.history.charter.seats
            step = DueStep((Part(a_label(hand), "commit", seats, binding=True, chained=False),))
        case _:
            step = other_step(hand, hand.one(hand.pieces.contents).step)
    state = hand.one(hand.pieces.contents).state
    content = Content(
        hand.file.charter.table, changed(hand.pieces.contents[0]).height, parent, step, (), state
    )
    content = changed(content, height=at + 1)
    certificate = a_certificate(hand, content)
    beside = (a_certificate(hand, content),) if hand.happens(40) else ()
    entry = Entry(content, (), certificate, beside)
    hand.file = replace(hand.file, entries=(*entries[:at], entry, *entries[at + more :]))
    if hand.happens(50) and at + 1 < len(hand.file.entries):
        hand.file = replace(hand.file, entries=refitted(hand.file.entries, at + 1))
    hand.tell("made up", type(step).__name__, "at", at + 1, "in place of", more)


# Contributions.


def other_contributions(hand: Hand) -> None:
    """Drop, repeat, exchange or replace contributions, and let the content name them or not."""
    at = hand.at(lambda entry: bool(entry.contributions))
    entry = hand.file.entries[at]
    given = list(entry.contributions)
    place = hand.chance.randrange(len(given))
    match hand.chance.randrange(5):
        case 0 | 1:
            del given[place]
        case 2:
            given.insert(place, hand.one(hand.pieces.contributions))
        case 3:
            hand.chance.shuffle(given)
        case _:
            given[place] = hand.one(
                [one for one in hand.pieces.contributions if one.seat == given[place].seat]
            )
    given = given[:10]
    entry = replace(entry, contributions=tuple(given))
    names = hand.happens(70)
    if names:
        named = tuple((one.seat, one.id) for one in given)
        content = changed(entry.content, contributions=named)
        entry = replace(entry, content=content)
        if hand.happens(60):
            certificate = replace(entry.certificate, entry=content.id)
            if hand.happens(50):
                certificate = replace(certificate, seals=(), votes=())
            entry = replace(entry, certificate=certificate)
    hand.put(at, entry)
    hand.tell("contributions of entry", at + 1, *[one.seat for one in given], "named:", names)


# Certificates.


def a_certificate(hand: Hand, content: Content) -> Certificate:
    """Return a certificate of a content, of whatever lies about; its signatures may be made up."""
    seals, votes = (), ()
    rank = hand.chance.randint(0, 2)
    match hand.chance.randrange(4):
        case 0:
            old = hand.one(hand.pieces.certificates)
            return replace(old, entry=content.id)
        case 1:
            one = hand.one(hand.pieces.seals)
            made_up = changed(
                one,
                table=content.table,
                height=content.height,
                parent=content.parent,
                entry=content.id,
                rank=0,
            )
            seals = tuple(changed(made_up, seat=seat) for seat in hand.history.charter.seats)
            return Certificate(content.id, 0, seals=seals)
        case 2:
            seals = hand.some(hand.pieces.seals, 4)
            rank = 0
        case _:
            votes = hand.some(hand.pieces.votes, 4)
    if not seals and not votes:
        seals = (hand.one(hand.pieces.seals),)
    return Certificate(content.id, rank, seals=seals, votes=votes, grounds=some_grounds(hand))


def some_grounds(hand: Hand) -> tuple[Any, ...]:
    """Return leaves and evidence, or nothing."""
    if hand.happens(70):
        return ()
    grounds: list[Any] = [*hand.some(hand.pieces.leaves, 2)]
    if hand.happens(50):
        grounds.append(some_evidence(hand))
    return tuple(grounds)


def other_certificate(hand: Hand) -> None:
    """Put other signatures, ranks and grounds into a certificate."""
    at = hand.at()
    entry = hand.file.entries[at]
    certificate = entry.certificate
    match hand.chance.randrange(8):
        case 0:
            certificate = replace(certificate, rank=hand.chance.randint(0, 3))
        case 1:
            certificate = replace(certificate, grounds=some_grounds(hand))
        case 2:
            certificate = replace(hand.one(hand.pieces.certificates), entry=entry.content.id)
        case 3:
            certificate = hand.one(hand.pieces.certificates)
        case 4:
            certificate = replace(certificate, seals=_other(hand, certificate.seals, hand.pieces.seals))
        case 5 | 6:
            certificate = replace(certificate, votes=_other(hand, certificate.votes, hand.pieces.votes))
        case _:
            certificate = a_certificate(hand, entry.content)
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("another certificate for entry", at + 1)


def _other(hand: Hand, here: tuple[Any, ...], pool: tuple[Any, ...]) -> tuple[Any, ...]:
    made = list(here)
    at = hand.chance.randint(0, len(made))
    match hand.chance.randrange(4):
        case 0 if made:
            made.pop(at - 1)
        case 1 if made:
            made[at - 1] = hand.one([one for one in pool if one.seat == made[at - 1].seat])
        case 2:
            hand.chance.shuffle(made)
        case _:
            made.insert(at, hand.one(pool))
    return tuple(made[:10])


def other_beside(hand: Hand) -> None:
    """Put other certificates beside an entry."""
    at = hand.at()
    entry = hand.file.entries[at]
    beside = list(entry.beside)
    match hand.chance.randrange(4):
        case 0 if beside:
            beside.pop()
        case 1:
            beside.append(hand.one(hand.pieces.certificates))
        case 2:
            hand.chance.shuffle(beside)
            beside = beside * 2
        case _:
            beside.append(a_certificate(hand, hand.one([one.content for one in hand.file.entries])))
    hand.put(at, replace(entry, beside=tuple(beside[:20])))
    hand.tell("other certificates beside entry", at + 1)


# What is open, and evidence.


def message_of(hand: Hand, signed: Any) -> Any:
    """Return a message that shows something signed, with whatever may lie beside it."""
    match signed:
        case Contribution():
            return Contributed(signed)
        case Refusal():
            return Refused(signed)
        case Leave():
            return Left(signed)
        case Vote():
            kept = hand.one(hand.pieces.entries) if hand.happens(30) else None
            beside = hand.some(hand.pieces.certificates, 2) if hand.happens(40) else ()
            return Voted(signed, some_grounds(hand), kept, beside)
        case _:
            beside = hand.some(hand.pieces.certificates, 2) if hand.happens(20) else ()
            if hand.happens(30):
                return Proposal(hand.one(hand.pieces.contents), signed, beside)
            return Sealed(signed, beside)


def more_open(hand: Hand) -> None:
    """Add messages to what is open, of this table or another."""
    table = hand.pieces if hand.happens(85) else hand.elsewhere
    near = [one for one in table.signed if abs(one.height - len(hand.file.entries)) < 3]
    more = [
        message_of(hand, hand.one(near if near and hand.happens(70) else table.signed))
        for _ in range(hand.chance.randint(1, 4))
    ]
    if hand.happens(30):
        more.append(hand.one(table.messages))
    hand.file = replace(hand.file, open=(*hand.file.open, *more))
    hand.tell("open besides:", *[type(one).__name__ for one in more])


def less_open(hand: Hand) -> None:
    """Drop, repeat or shuffle what is open."""
    messages = list(hand.file.open)
    if not messages:
        raise Nothing
    match hand.chance.randrange(3):
        case 0:
            messages.pop(hand.chance.randrange(len(messages)))
        case 1:
            messages.append(hand.one(messages))
        case _:
            hand.chance.shuffle(messages)
    hand.file = replace(hand.file, open=tuple(messages))
    hand.tell("open messages dropped, repeated or shuffled")


def some_evidence(hand: Hand) -> Evidence:
    """Return evidence of any code from any messages, most often of one seat."""
    table = hand.pieces if hand.happens(90) else hand.elsewhere
    first = hand.one(table.signed)
    mine = [one for one in table.signed if one.seat == first.seat]
    near = [one for one in mine if abs(one.height - first.height) < 2]
    messages: list[Any] = [first]
    for _ in range(hand.chance.randint(0, 2)):
        messages.append(hand.one(near if hand.happens(60) else mine))
    if hand.happens(40):
        own = [one for one in table.contributions if one.height == first.height]
        messages.extend(hand.some(own, 4))
    names = {getattr(one, "entry", None) or getattr(one, "parent", None) for one in messages}
    named = [one for one in table.contents if one.id in names]
    contents = hand.some(named if named and hand.happens(70) else table.contents, 2)
    return Evidence(hand.one(CODES), first.seat, tuple(messages[:12]), contents)


def more_evidence(hand: Hand) -> None:
    """Bring evidence."""
    made = [some_evidence(hand) for _ in range(hand.chance.randint(1, 6))]
    hand.file = replace(hand.file, evidence=(*hand.file.evidence, *made))
    hand.tell("evidence:", *[f"{one.code} against {one.seat}" for one in made])


# Signatures.


def damage(hand: Hand) -> None:
    """Change something signed, or its signature, and sign nothing anew."""
    at = hand.at()
    entry = hand.file.entries[at]
    certificate = entry.certificate
    kind = hand.one(
        [kind for kind in ("contributions", "seals", "votes") if getattr(entry, kind, None)
         or getattr(certificate, kind, None)]
    )
    holder: Any = entry if kind == "contributions" else certificate
    signed = list(getattr(holder, kind))
    place = hand.chance.randrange(len(signed))
    one = signed[place]
    change: dict[str, object] = hand.one(
        [
            {"signature": hand.one(hand.pieces.signed).signature},
            {"signature": bytes(64)},
            {"seat": Seat(hand.chance.randrange(10))},
            {"height": one.height + 1},
        ]
    )
    signed[place] = changed(one, **change)
    holder = changed(holder, **{kind: tuple(signed)})
    hand.put(at, holder if kind == "contributions" else replace(entry, certificate=holder))
    hand.tell("damaged", *change, "of", kind, "in entry", at + 1)


def moved_votes(hand: Hand) -> None:
    """Put the votes of a round into the certificate of another entry, or a seal of another."""
    at = hand.at()
    entry = hand.file.entries[at]
    kinds = ("votes", "seals") if hand.pieces.votes else ("seals",)
    kind = hand.one(kinds)
    more = hand.some(getattr(hand.pieces, kind), 3)
    if not more:
        raise Nothing
    certificate = entry.certificate
    here = () if hand.happens(50) else getattr(certificate, kind)
    certificate = changed(certificate, **{kind: (*here, *more)[:10]})
    hand.put(at, replace(entry, certificate=certificate))
    hand.tell("moved", kind, "into the certificate of entry", at + 1)


STRANGERS: Final[Mapping[str, Operation]] = {
    "cut": cut,
    "drop-entry": drop_entry,
    "repeat-entry": repeat_entry,
    "swap-entries": swap_entries,
    "foreign-entry": foreign_entry,
    "splice": splice,
    "refit": refit,
    "rewrite-founding": rewrite_founding,
    "rewrite-content": rewrite_content,
    "made-up-entry": made_up_entry,
    "other-contributions": other_contributions,
    "other-certificate": other_certificate,
    "other-beside": other_beside,
    "more-open": more_open,
    "less-open": less_open,
    "more-evidence": more_evidence,
    "damage": damage,
    "moved-votes": moved_votes,
}
