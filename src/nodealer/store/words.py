"""The ways in which people tell keys apart: a short mark beside every name, words to be read aloud.

The **mark** is six characters from the hash of a key, 30 bits. It stands beside every name, so that
two players of one name are not mixed up. It confirms nothing: whoever looks for a key with a given
mark finds one within hours.

The **words** confirm. Ana reads her six words aloud, Bob compares them with those that his program
shows for Ana's key, and the other way round. Six words are 48 bits. Somebody who wants to pass for
Ana needs a key with the same words, and has to try 2^47 keys on average. For that every try is made
expensive: the words are taken from a hash that costs 32 MiB and about a twentieth of a second, so
the search takes some 200,000 years of one processor, and memory for every processor that helps.
All six have to be compared: of three words alone the search takes ten days.

Words belong to one key and never to a pair of keys. For a pair, somebody in the middle could choose
two keys of their own, one for each side, and would need 2^24 of each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from nodealer.crypto import Cost, stretched
from nodealer.kernel import digest
from nodealer.store.wordlist import WORDS

KEY_MARK: Final = "nodealer/1/key-mark"

WORD_COUNT: Final = 6
WORDS_COST: Final = Cost(15)
WORDS_SALT: Final = b"nodealer/1/words"

MARK_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxyzaeuo"
MARK_LENGTH: Final = 6
_MARK_BITS: Final = 5


@lru_cache(maxsize=256)
def words_of(key: bytes) -> tuple[str, ...]:
    """Return the words of a public key; it takes a moment."""
    return words_in(stretched(key, WORDS_SALT, WORDS_COST)[:WORD_COUNT])


def words_in(numbers: bytes) -> tuple[str, ...]:
    """Return the words with these numbers."""
    return tuple(WORDS[one] for one in numbers)


def mark_of(key: bytes) -> str:
    """Return the mark of a public key."""
    number = int.from_bytes(digest(KEY_MARK, key), "big")
    places = (number >> _MARK_BITS * place for place in range(MARK_LENGTH))
    return "".join(MARK_LETTERS[place % len(MARK_LETTERS)] for place in places)


def shown(name: str, key: bytes) -> str:
    """Return a name as it is shown wherever it matters who it is; the mark stands last."""
    return f"{name} [{mark_of(key)}]"
