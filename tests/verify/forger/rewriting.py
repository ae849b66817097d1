"""Contents, which nobody has signed but by sealing them: rewritten and made up."""

from __future__ import annotations

from dataclasses import replace

from nodealer.kernel import EntryId, Height, Seat
from nodealer.ledger import AuthoredStep, Content, DueStep, Entry, EvictStep
from nodealer.ledger.objects import EntryStep, Part
from tests.verify.forger.certifying import a_certificate
from tests.verify.forger.forgery import Hand, changed, refitted


def rewrite_content(hand: Hand) -> None:
    """Change one field of a content; its certificate names it or does not."""
    at = hand.at()
    content = hand.file.entries[at].content
    match hand.below(6):
        case 0:
            change: dict[str, object] = {"state": hand.one(hand.pieces.contents).state}
        case 1:
            change = {"parent": hand.one([*hand.pieces.contents, *hand.elsewhere.contents]).id}
        case 2:
            change = {"height": hand.between(0, content.height + 2)}
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
    match hand.below(4):
        case 0 if given:
            del given[hand.below(len(given))]
        case 1 if given:
            given.append(hand.one(given))
        case 2 if given:
            hand.chance.shuffle(given)
        case _:
            one = hand.one(hand.pieces.contributions)
            given.append((one.seat, one.id))
    return tuple(given[:10])


def other_step(hand: Hand, step: EntryStep) -> EntryStep:
    """Return another step in place of one."""
    seats = hand.history.charter.seats
    if hand.happens(30):
        return hand.one([one.step for one in hand.pieces.contents])
    match step:
        case AuthoredStep():
            return _other_action(hand, step)
        case DueStep(parts) if parts:
            return DueStep(_other_parts(hand, parts))
        case EvictStep(number, out) if hand.happens(50):
            return EvictStep(number + hand.between(0, 2), out)
        case _:
            return EvictStep(hand.between(0, 2), tuple(sorted(hand.some(seats, 3))))


def _other_action(hand: Hand, step: AuthoredStep) -> AuthoredStep:
    steps = [one.step for one in hand.pieces.contents]
    actions = [one.action for one in steps if isinstance(one, AuthoredStep)]
    bent = step.action[:-1] + bytes([hand.below(256)])
    return hand.one(
        [
            AuthoredStep(hand.one(hand.history.charter.seats), step.action),
            AuthoredStep(step.seat, hand.one(actions)),
            AuthoredStep(step.seat, bent),
        ]
    )


def _other_parts(hand: Hand, parts: tuple[Part, ...]) -> tuple[Part, ...]:
    at = hand.below(len(parts))
    part = parts[at]
    match hand.below(6):
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
    at, more = hand.between(0, len(entries)), hand.between(0, 1)
    parent = entries[at - 1].content.id if at else EntryId(hand.file.charter.table)
    step: EntryStep
    match hand.below(3):
        case 0:
            out = tuple(sorted(hand.some(hand.history.charter.seats, 2)))
            step = EvictStep(hand.between(0, 3), out)
        case 1:
            seats = hand.history.charter.seats
            step = DueStep((Part(a_label(hand), "commit", seats, binding=True, chained=False),))
        case _:
            step = other_step(hand, hand.one(hand.pieces.contents).step)
    state = hand.one(hand.pieces.contents).state
    content = Content(hand.file.charter.table, Height(at + 1), parent, step, (), state)
    certificate = a_certificate(hand, content)
    beside = (a_certificate(hand, content),) if hand.happens(40) else ()
    entry = Entry(content, (), certificate, beside)
    hand.file = replace(hand.file, entries=(*entries[:at], entry, *entries[at + more :]))
    if hand.happens(50) and at + 1 < len(hand.file.entries):
        hand.file = replace(hand.file, entries=refitted(hand.file.entries, at + 1))
    hand.tell("made up", type(step).__name__, "at", at + 1, "in place of", more)


def other_contributions(hand: Hand) -> None:
    """Drop, repeat, exchange or replace contributions, and let the content name them or not."""
    at = hand.at(lambda entry: bool(entry.contributions))
    entry = hand.file.entries[at]
    given = list(entry.contributions)
    place = hand.below(len(given))
    match hand.below(5):
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
