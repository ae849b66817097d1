"""A forger against the judge: it makes files of all that honest seats have ever signed.

What it begins with:

    scenes        honest tables of every game, and such that wait for somebody
    lied          tables at which a seat has lied, from the simulator
    histories     all of them by name; `known` is what is known of one
    pieces        what a forger may take of them: everything signed, and everything that is not

What it does, each step an operation on a `forgery.Hand`:

    ordering, rewriting, certifying, opening, accusing      what anybody can do: `strangers`
    signing, provoking      what a seat can do besides that signs whatever it likes: `dishonest`
    tricks        forgeries of several steps that have a purpose, each a way to blame somebody
    drawing       recipes of one to three operations, drawn by a number

What must come of it:

    oracle        what must be so of every forgery, by code of its own
    predictions   the class that refuses each kind of forgery, where the pages say so
"""
