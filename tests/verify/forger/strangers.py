"""What somebody without any key can do to a file: take everything apart and put it together again.

What is signed is dropped, repeated, moved and exchanged; what is not is rewritten at will. Nothing
of this may ever put blame on anybody.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.verify.forger.accusing import accuse, accuse_of_two, more_evidence
from tests.verify.forger.certifying import damage, moved_votes, other_beside, other_certificate
from tests.verify.forger.forgery import Operation
from tests.verify.forger.opening import less_open, more_open
from tests.verify.forger.ordering import (
    cut,
    drop_entry,
    foreign_entry,
    refit,
    repeat_entry,
    rewrite_founding,
    splice,
    swap_entries,
)
from tests.verify.forger.rewriting import made_up_entry, other_contributions, rewrite_content

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
    "accuse": accuse,
    "accuse-of-two": accuse_of_two,
    "damage": damage,
    "moved-votes": moved_votes,
}
