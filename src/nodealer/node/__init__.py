"""What runs on one player's machine: how bytes travel to other peers, and what is kept of them.

    node            everything that one player has open, over the links to all others
    network         a node on the network, and a relay: the only way here that loads libp2p
    listening       how a node wants to be reached
    local_network   who else is on the same network
    keeper          a table that is open: its journal, its clock, how its seats are reached
    seat_addresses  where the seats of a table can be reached
    reminders       asking for what somebody else holds and does not send
    held_seals      seals that go to their author first, among near peers
    farewell        staying after the close, for those who do not have it yet
    table_talk      chat at a table: kept, told and passed on; its rules are in `chat`
    spectators      the history of a table for whoever follows it
    table_search    a table that is looked for at a peer
    rooms           lobbies that are open here, and their way to a table
    envelopes       what one node sends to another
    observers       who is told of what happens
    clocks          what time it is for a table
    auto, practice  bots in seats, and a whole table of them on this machine
    examining       whether everything is in order to play
    transport       whole messages between nodes that know each other by their keys

The parts are imported one by one: nothing here loads trio or libp2p for those who only read a
transcript. Why a peer is not reached is a `Reach` of `kernel`: links make it (`transport.link`),
a keeper gives it for a seat.
"""
