"""The node on one player's machine: how bytes travel to other peers, and what is kept of them.

    node            everything that one player has open, over the links to all others
    network         a node on the network, and a relay: the only way here that loads libp2p
    listening       how a node wants to be reached
    nearby          the numbers of this node on its own network
    local_network   who else is on the same network
    keeper          a table that is open: its journal, its clock, how its seats are reached
    seat_addresses  where the seats of a table can be reached
    farewell        staying after the close, for those who do not have it yet
    chat            what players say to each other, and its rules
    table_talk      chat at a table: kept, told and passed on
    spectators      the history of a table for whoever follows it
    table_search    a table that is looked for at a peer
    asked_friends   friends who are asked whether a lobby of theirs is open for this player
    rooms           lobbies that are open here, and their way to a table
    envelopes       what one node sends to another
    observers       who is told of what happens
    clocks          what time it is for a table
    auto, practice  bots in seats, and a whole table of them on this machine
    examining       whether everything is in order to play
    transport       whole messages between nodes that know each other by their keys

This door loads no libp2p: `network` and `examining`, which do, are doors of their own. Why a peer
is not reached is a `Reach` of `kernel`: links make it (`transport.link`), a keeper gives it for a
seat.
"""

from nodealer.node.auto import drawn_chance, is_asked, is_over, play_by
from nodealer.node.chat import SpokenLine
from nodealer.node.clocks import CLOCKS
from nodealer.node.envelopes import ForTable, write_envelope
from nodealer.node.farewell import stay
from nodealer.node.keeper import Keeper
from nodealer.node.listening import Listening, parse_relay
from nodealer.node.node import Node
from nodealer.node.practice import (
    THOUGHT_SECONDS,
    Rules,
    Seated,
    at_table,
    bots_in,
    bots_of,
    found,
    identity_in,
)
from nodealer.node.rooms import HeldLobby, Room
from nodealer.node.seat_addresses import address_note, addresses_in, addresses_of, note_addresses
from nodealer.node.transport.addresses import Address, PeerKey, key_of, parse, peer_id
from nodealer.node.transport.frames import (
    RUN_ID_BYTES,
    Deframer,
    Hello,
    Ping,
    RunId,
    read_frame,
    write_frame,
)
from nodealer.node.transport.link import Bell, offered
from nodealer.node.transport.ports import ListenError, require_free

__all__ = [
    "CLOCKS",
    "RUN_ID_BYTES",
    "THOUGHT_SECONDS",
    "Address",
    "Bell",
    "Deframer",
    "ForTable",
    "HeldLobby",
    "Hello",
    "Keeper",
    "ListenError",
    "Listening",
    "Node",
    "PeerKey",
    "Ping",
    "Room",
    "Rules",
    "RunId",
    "Seated",
    "SpokenLine",
    "address_note",
    "addresses_in",
    "addresses_of",
    "at_table",
    "bots_in",
    "bots_of",
    "drawn_chance",
    "found",
    "identity_in",
    "is_asked",
    "is_over",
    "key_of",
    "note_addresses",
    "offered",
    "parse",
    "parse_relay",
    "peer_id",
    "play_by",
    "read_frame",
    "require_free",
    "stay",
    "write_envelope",
    "write_frame",
]
