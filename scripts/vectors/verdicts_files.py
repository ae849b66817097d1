"""Files that cannot be read, damaged ones, forks, and readers who know something from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from nodealer.kernel import Seat, encode
from nodealer.ledger import AuthoredStep, Certificate, Contribution, Entry, Leave
from nodealer.ledger import write as write_message
from nodealer.ledger.messages import Contributed, Left, Sealed, Voted
from nodealer.verify import Transcript, write_transcript
from nodealer.verify.transcript import HEAD, OPEN, FileHead, Open
from scripts.vectors.told import (
    Case,
    cards,
    cut,
    flipped,
    kept,
    let_go,
    resealed_charter,
    short,
    transcript,
    trio,
    voted_out,
    written,
)
from tests.verify.forging import signed

_replaced: Callable[..., Any] = replace


def cases() -> Iterator[Case]:
    """Return the cases of files."""
    yield from _unreadable()
    yield from _damaged()
    yield from _charters()
    yield from _known()
    yield from _forks()


def _unreadable() -> Iterator[Case]:
    whole = write_transcript(trio())
    last = write_message(trio().entries[1])
    sealed = write_message(Sealed(trio().entries[1].certificate.seals[0]))
    behind = whole + OPEN.write(Open(2)) + sealed
    first = trio().entries[0]
    inside = whole[: -len(last)] + last.replace(b"ledger/certificate", b"ledger/certifikate")
    for name, about, data in (
        ("empty", "a file without a byte", b""),
        ("head", "a file that ends with its head", HEAD.write(FileHead(1))),
        (
            "format",
            "another format",
            HEAD.write(FileHead(2)) + whole[len(HEAD.write(FileHead(1))) :],
        ),
        ("cut-in-the-middle", "a file that was cut in an entry", whole[:-100]),
        ("cut-by-one", "a file without its last byte", whole[:-1]),
        ("one-byte-more", "a file with a byte behind it", whole + b"\x00"),
        ("open-missing", "two open messages are announced, one is here", behind),
        (
            "open-more",
            "one open message is announced, two are here",
            whole + OPEN.write(Open(1)) + sealed + sealed,
        ),
        ("open-none", "no open message is announced", whole + OPEN.write(Open(0))),
        ("entry-behind-open", "an entry behind what is open", behind + write_message(first)),
        ("other-item", "an item of another kind", whole + encode((1, "ledger/status", b""))),
        ("certificate-inside", "a certificate inside an entry that is none", inside),
    ):
        yield Case(f"unreadable-{name}", about, data, "unreadable", check="structure")


def _bent(one: Any) -> Any:  # noqa: ANN401 - any signed object
    return replace(one, signature=flipped(one.signature))


def _first(items: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    return (change(items[0]), *items[1:])


def _certified(entry: Entry, **changed: Any) -> Entry:  # noqa: ANN401 - any field
    return replace(entry, certificate=_replaced(entry.certificate, **changed))


def _damaged() -> Iterator[Case]:
    """One thing in a file changed by somebody without a key: nobody is named."""
    whole = trio()
    action, keys = whole.entries
    evicted, going_on = voted_out().entries
    alone, closed = let_go().entries
    (leave,) = alone.certificate.grounds
    assert isinstance(leave, Leave)

    def other_payload(one: Contribution) -> Contribution:
        payloads = tuple((label, flipped(payload)) for label, payload in one.payloads)
        return replace(one, payloads=payloads)

    def history(start: Transcript, *entries: Entry) -> bytes:
        return write_transcript(cut(start, 0, *entries))

    def with_beside(entry: Entry, change: Callable[[Certificate], Certificate]) -> Entry:
        return replace(entry, beside=_first(entry.beside, change))

    bent_leave = replace(leave, signature=flipped(leave.signature))
    seals = action.certificate.seals
    step = action.content.step
    assert isinstance(step, AuthoredStep)
    rows: list[tuple[str, str, bytes, str, int]] = [
        (
            "charter-seal",
            "a seal of the charter",
            write_transcript(replace(whole, seals=_first(whole.seals, _bent))),
            "signatures",
            0,
        ),
        (
            "seal",
            "a seal of an entry",
            history(whole, _certified(action, seals=_first(seals, _bent)), keys),
            "signatures",
            1,
        ),
        (
            "contribution",
            "the signature of a contribution",
            history(whole, action, replace(keys, contributions=_first(keys.contributions, _bent))),
            "signatures",
            2,
        ),
        (
            "payload",
            "the payload of a contribution, which the content names by its hash",
            history(
                whole,
                action,
                replace(keys, contributions=_first(keys.contributions, other_payload)),
            ),
            "signatures",
            2,
        ),
        (
            "action",
            "the action of a content, which its seals name by its hash",
            history(
                whole,
                replace(
                    action,
                    content=replace(
                        action.content, step=replace(step, action=flipped(step.action))
                    ),
                ),
            ),
            "chain",
            1,
        ),
        (
            "state",
            "the state hash of a content",
            history(
                whole,
                replace(
                    action, content=replace(action.content, state=flipped(action.content.state))
                ),
            ),
            "chain",
            1,
        ),
        (
            "vote",
            "a vote",
            history(
                voted_out(),
                _certified(evicted, votes=_first(evicted.certificate.votes, _bent)),
                going_on,
            ),
            "signatures",
            1,
        ),
        (
            "vote-beside",
            "a vote beside an entry",
            history(
                voted_out(),
                evicted,
                with_beside(going_on, lambda one: replace(one, votes=_first(one.votes, _bent))),
            ),
            "signatures",
            2,
        ),
        (
            "seal-beside",
            "a seal beside a kept entry, which shows the rank that is kept",
            history(
                kept(),
                with_beside(
                    kept().entries[0], lambda one: replace(one, seals=_first(one.seals, _bent))
                ),
            ),
            "signatures",
            1,
        ),
        (
            "ground",
            "the leave that is the ground of an eviction",
            history(let_go(), _certified(alone, grounds=(bent_leave,)), closed),
            "signatures",
            1,
        ),
        (
            "open-seal",
            "an open seal",
            written(whole, Sealed(_bent(signed(seals[0], height=3, parent=keys.content.id)))),
            "signatures",
            3,
        ),
        ("open-leave", "an open leave", written(let_go(), Left(bent_leave)), "signatures", 3),
        (
            "open-vote",
            "an open vote",
            written(cut(voted_out(), 0), Voted(_bent(evicted.certificate.votes[0]), (), None, ())),
            "signatures",
            1,
        ),
        (
            "open-contribution",
            "an open message of a seat that does not exist",
            written(whole, Sealed(replace(seals[0], seat=Seat(7)))),
            "identity",
            3,
        ),
        (
            "key",
            "an identity key: every signature of its seat, and its sealing key, fail",
            write_transcript(
                cut(
                    replace(
                        whole,
                        charter=replace(whole.charter, keys=_first(whole.charter.keys, flipped)),
                    ),
                    0,
                )
            ),
            "signatures",
            0,
        ),
        (
            "seat",
            "the seat of a contribution",
            history(
                whole,
                action,
                replace(
                    keys, contributions=_first(keys.contributions, lambda one: replace(one, seat=1))
                ),
            ),
            "signatures",
            2,
        ),
        (
            "kept-round",
            "the rank of a certificate beside a kept entry",
            history(kept(), with_beside(kept().entries[0], lambda one: replace(one, rank=1))),
            "completeness",
            1,
        ),
    ]
    for name, about, data, check, height in rows:
        yield Case(f"damaged-{name}", about, data, "invalid", check=check, height=height)


def _charters() -> Iterator[Case]:
    """Charters that all have sealed and that are none."""
    charter = trio().charter
    other_clock = replace(charter, clock=replace(charter.clock, act=charter.clock.act + 1))
    for name, about, changed, check in (
        ("terms", "terms that are no message", replace(charter, terms=b"nonsense"), "identity"),
        (
            "terms-kind",
            "terms of another kind",
            replace(charter, terms=charter.terms.replace(b"table/founding", b"table/foundling")),
            "identity",
        ),
        (
            "name",
            "a name that cannot be shown",
            replace(charter, terms=charter.terms.replace(b"player 0", b"player\x070")),
            "identity",
        ),
        (
            "names-alike",
            "two names that are alike",
            replace(charter, terms=charter.terms.replace(b"player 0", b"PLAYER 1")),
            "identity",
        ),
        (
            "proof",
            "a proof of a sealing key that was made for other terms",
            other_clock,
            "cryptography",
        ),
        (
            "clock",
            "a time that is longer than the longest",
            replace(charter, clock=replace(charter.clock, act=charter.clock.longest + 1)),
            "identity",
        ),
        (
            "option",
            "an option that the rules do not have",
            replace(charter, terms=charter.terms.replace(b"variant", b"variety")),
            "cryptography",
        ),
    ):
        whole = resealed_charter(trio(), changed)
        yield Case(
            f"charter-{name}", about, write_transcript(whole), "invalid", check=check, height=0
        )
    weak = replace(charter, keys=(b"\x01" + bytes(31), *charter.keys[1:]))
    yield Case(
        "charter-weak-key",
        "a key of small order: nothing else is run",
        write_transcript(cut(replace(trio(), charter=weak), 0)),
        "invalid",
        check="identity",
        height=0,
    )
    seals = trio().seals
    waiting = cut(replace(trio(), seals=seals[:2]), 0)
    given = cards().entries[0].contributions[0]
    given = signed(given, table=trio().charter.table, parent=trio().charter.table)
    yield Case(
        "charter-open",
        "a contribution over a charter that not all have sealed is kept aside",
        written(waiting, Contributed(given)),
        "unfinished",
        height=0,
        waits=((2, "seal of the charter"),),
    )
    yield Case(
        "charter-open-unsigned",
        "the same with a bad signature",
        written(waiting, Contributed(_bent(given))),
        "invalid",
        check="signatures",
        height=1,
    )
    yield Case(
        "charter-seal-missing",
        "entries over a charter that not all have sealed",
        write_transcript(replace(trio(), seals=seals[1:])),
        "invalid",
        check="completeness",
        height=0,
    )
    for field, value in (("rank", 3), ("height", 1), ("entry", bytes(32))):
        bad = (seals[0], seals[1], signed(seals[2], **{field: value}))
        yield Case(
            f"charter-seal-{field}",
            f"a seal of the charter over no parent with another {field}: it binds its seat",
            write_transcript(cut(replace(trio(), seals=bad), 0)),
            "invalid",
            check="chain",
            culprit=2,
            height=0,
        )
    elsewhere = (*seals[:2], signed(seals[2], parent=bytes(range(32))))
    yield Case(
        "charter-seal-parent",
        "a good seal of something else, among the seals of the charter: nobody is named",
        write_transcript(cut(replace(trio(), seals=elsewhere), 0)),
        "invalid",
        check="chain",
        height=0,
    )


def _known() -> Iterator[Case]:
    charter = trio().charter
    data, waits = write_transcript(cut(trio(), 0)), ((0, "action"),)
    table, key = charter.table.hex(), charter.keys[1].hex()
    yield Case(
        "known",
        "the table and a key are those that were expected",
        data,
        "unfinished",
        height=0,
        waits=waits,
        knows={"table": table, "keys": {"1": key}},
    )
    for name, about, knows in (
        ("table", "another table was expected", {"table": "00" * 32}),
        ("key", "another key was expected", {"keys": {"0": key}}),
        ("seat", "a seat was expected that is not there", {"keys": {"7": key}}),
    ):
        yield Case(
            f"known-other-{name}",
            about,
            data,
            "invalid",
            check="identity",
            height=0,
            knows=knows,
        )


def _forks() -> Iterator[Case]:
    """Two files of one table: seat 0 and the others have sealed two actions over one entry."""
    copies = {}
    for choice in (0, 1):
        made = short(2, cards=2)
        for seat in (Seat(0), Seat(1)):
            made.act(seat, made.tables[seat].legal()[choice])
        copies[choice] = cut(transcript(made), 6)
    for name, other in (("one", 1), ("other", 0)):
        yield Case(
            f"fork-{name}",
            "two histories that part at the choice at height 5, and go on",
            write_transcript(copies[1 - other]),
            "invalid",
            check="chain",
            culprit=0,
            height=5,
            beside=f"fork-{'other' if other else 'one'}",
        )
    yield Case(
        "fork-beginning",
        "the beginning of another file is no fork",
        write_transcript(cut(copies[0], 4)),
        "unfinished",
        height=4,
        waits=((0, "choose"), (1, "choose")),
        beside="fork-one",
    )
