"""The doors on this machine: ports that nobody else can reach, and what comes in there.

A node talks to programs of its own player over the loopback: a browser with the page, a client of a
game's server. So does everybody else on this machine, and every page that a browser has open. What
comes in here is therefore a stranger until the service says otherwise, and costs little until then.

    local_port     a port of the loopback, and of nothing else
    callers        connections: how many, how long, and what becomes of those that fail
    text_channel   whole texts in order, in both directions
    web_service    requests that are answered, and channels for those who are let in

The words of HTTP and WebSocket are those of `websockets`, which nothing else knows. Nothing here
knows a table, a page or a game. The page is `specs/13-page.md`.
"""

from nodealer.loopback.callers import Callers, Mishap
from nodealer.loopback.local_port import LOOPBACK, LocalListeners, listen, port_of
from nodealer.loopback.text_channel import ChannelEnded, CloseCode, TextChannel
from nodealer.loopback.web_service import WebAnswer, WebRequest, WebService, serve_web

__all__ = [
    "LOOPBACK",
    "Callers",
    "ChannelEnded",
    "CloseCode",
    "LocalListeners",
    "Mishap",
    "TextChannel",
    "WebAnswer",
    "WebRequest",
    "WebService",
    "listen",
    "port_of",
    "serve_web",
]
