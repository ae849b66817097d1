"""Sockets for one client: lines of text, or WebSocket, behind one door; or a program started here.

A door stands on a port of this machine and opens to whoever knows the token. Pages of the web run
on this machine too, in a browser, and can reach its ports: a page is kept out by its Origin, by the
Host that it believes to speak to, and by the token, which it cannot read anywhere.
"""

from nodealer.seat.shell.client_door import Door
from nodealer.seat.shell.line_wire import serve_lines
from nodealer.seat.shell.started_client import serve_program
from nodealer.seat.shell.web import serve_websocket
from nodealer.seat.shell.wire import Talk, Wire

__all__ = [
    "Door",
    "Talk",
    "Wire",
    "serve_lines",
    "serve_program",
    "serve_websocket",
]
