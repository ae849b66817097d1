"""The words of a player's own node to a client that was written for a game's server.

At a table without a server the player's own node takes the server's place: a client that was
written for it sits down unchanged, if the game has the protocol (`nodealer.games.seeds`). Here is
what all protocols have in common. Nothing here decides anything.

    json_text      what a client says, read with bounds
    conversation   what was told, what of it is acknowledged, what the client may ask for
    shell          sockets, and programs that are started here

All but the shell is without input and output. The page is specs/games/protocols.md.
"""

from nodealer.seat.conversation import Conversation, Reply, note_bytes, read_note, restored
from nodealer.seat.shell import (
    Door,
    Talk,
    Wire,
    serve_lines,
    serve_program,
    serve_websocket,
)

__all__ = [
    "Conversation",
    "Door",
    "Reply",
    "Talk",
    "Wire",
    "note_bytes",
    "read_note",
    "restored",
    "serve_lines",
    "serve_program",
    "serve_websocket",
]
