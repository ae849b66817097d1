"""The travel of bytes: one ordered, bounded, lasting link to each peer, over streams that break.

From the bottom up:

    addresses       where a peer may be reached, as data
    frames          the six kinds of frame, and where one ends in a stream of bytes
    timing          every time limit, window and count, each with its reason
    states          the life of a link, as a table
    session         one end of a link, without input or output
    windows         what is under way on it: nothing is lost or comes twice
    pulse           the heartbeat of a connection
    carrier         what lies below: authenticated streams of bytes that may break at any moment
    link            a session, served by tasks
    switchboard     all links of a node: dialling, taking up, limits, an orderly end
    memory          a carrier inside one process
    over_libp2p     the carrier of real games
    admission       who may hold a place, as data and functions of it
    doorkeeper      the door of a node: gives those places to the connections that others open
    stranger_turns  what strangers may cost, all of them together
    multistream     how two ends agree on what is spoken next
    secured         a connection whose other end has proven its key
    multiplexer     several streams over one connection
    guarded         libp2p, cut down to what is used, with a limit for every step
    relay_words     what is read of relays, and of who asks one
    relaying        its way to peers that nobody can dial
    serving         what a relay of ours does for them
    ports           whether a port of this machine is free
    punching        a direct way through two routers, once a relayed one is there
    dialback        whether others reach this machine, as a relay finds out
    library         what these do with libp2p in the same way
    loading         which of its modules are loaded: set up here, before anything imports it

The page is `specs/08-node.md`. Whoever uses a transport sees `switchboard` and `link` and nothing
of what is below; whoever writes another carrier runs the conformance kit over it, which is in
`tests/node`.
"""

from nodealer.node.transport.loading import load_what_runs

load_what_runs()
