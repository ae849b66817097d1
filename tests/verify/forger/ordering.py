"""The order of a file and its founding: entries and copies put together otherwise."""

from __future__ import annotations

from dataclasses import replace

from nodealer.ledger import Entry
from tests.verify.forger.forgery import Hand, changed, refitted


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
    at, more = hand.between(0, len(entries)), hand.between(0, 1)
    hand.file = replace(hand.file, entries=(*entries[:at], entry, *entries[at + more :]))
    hand.tell("put an entry of height", entry.content.height, "at", at + 1, "in place of", more)


def splice(hand: Hand) -> None:
    """Go on from some entry with another copy, from anywhere."""
    other = hand.one(hand.history.files)
    at, since = hand.at(), hand.between(0, len(other.entries))
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


def rewrite_founding(hand: Hand) -> None:
    """Change the seals of the charter, or the charter."""
    file, seals = hand.file, list(hand.file.seals)
    match hand.below(6):
        case 0:
            del seals[hand.below(len(seals))]
        case 1:
            seals.append(hand.one(seals))
        case 2:
            hand.chance.shuffle(seals)
        case 3:
            seals[hand.below(len(seals))] = hand.one(hand.pieces.seals)
        case 4:
            other = [seal for seal in hand.elsewhere.seals if seal.height == 0]
            seals[hand.below(len(seals))] = hand.one(other)
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
