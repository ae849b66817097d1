"""The home of a player: what a player does, as calls and values.

Tables found again and the lobbies that lead to them, people and their words, the sessions of hosts
and guests, what drives a seat: for whoever shows it, be it lines that are typed or a page. Nothing
here reads a command line, prints or asks; what can be told is a value, and what is not possible is
an error with a name.

    my_tables, my_lobbies         what this player has open, and how it is gone on with
    host_session, guest_session   lobbies while people gather, and what their players want
    hindrances                    why a wish is not granted yet
    people                        who is there, and what is known of them
    listening, sitting            where the node of this player listens, and what it has open
    seat_driver, seat_client      what drives a seat: who is shown a table, or a program
    finished, leaving, mending    getting up, leaving for good, and going on after damage
    clock                         the time of day
"""
