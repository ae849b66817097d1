"""A client that was written for a server, over standard input and output: started by tests.

python -m tests.seat.line_client GAME-PROTOCOL [STOP-AFTER]
"""

from __future__ import annotations

import json
import sys

from tests.seat.clients import CLIENTS
from tests.seat.picking import picking


def main(protocol: str, stop_after: int) -> None:
    """Speak until the game is over, or until so much was heard."""
    client = CLIENTS[protocol](0, picking("seat"), starts=True)
    answers = client.opening()
    while not client.is_over and stop_after:
        for answer in answers:
            sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            return
        answers = client.hear(json.loads(line))
        stop_after -= 1


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else -1)
