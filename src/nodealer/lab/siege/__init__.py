"""The attackers of `nodealer bench siege` and the tests: what strangers do, on purpose.

    by_hand         a stranger's end of a connection, spoken without the library
    attacks         what is done over it, as a table
    attacker        a process that does one of these, for a while
    burden          the same work for nobody, and the port that swallows it
    seat            a seat of the table that is besieged, in a process of its own
    newcomers       who comes meanwhile: a guest, a spectator, one behind a router
    field           a table, its attackers and its newcomers, for one run
    siege_figures   what is told of a run

All of it is bounded in time and number, and dials the loopback interface only.
Its processes load nothing that they do not need; so neither does this door.
"""
