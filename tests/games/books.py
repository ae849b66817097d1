"""The books of all games.

    PYTHONPATH=src:. python -m tests.games.books --rewrite

writes all playthroughs and all state diagrams anew; whoever changes rules reads the difference.
"""

from __future__ import annotations

import sys

from tests.games import macaua_book
from tests.games.sixty_six import book as sixty_six_book
from tests.games.take5 import book as take5_book

BOOKS = (macaua_book.BOOK, sixty_six_book.BOOK, take5_book.BOOK)

if __name__ == "__main__":
    if sys.argv[1:] != ["--rewrite"]:
        raise SystemExit(__doc__)
    for book in BOOKS:
        book.rewrite()
