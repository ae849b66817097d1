"""What a player's own node says to a client that was written for a game's server.

Three early descriptions of games say what a server and its clients tell each other. At a table
without a server the player's own node takes the server's place: a client that was written for one
of them sits down unchanged. What a client is told follows from what its player sees, entry by
entry; what it asks for becomes an action of the player. Nothing here decides anything.

    saying         what is said: messages, requests, refusals, and JSON from strangers
    sight          what an entry looks like to one player
    rows           messages to clients as tables, and how they are filled in
    moments        what happens in a game of 66, as far as a client hears of it
    sixty_six_v1   the messages of the one description of 66
    sixty_six_v2   those of the other
    take5          those of 6 nimmt!
    conversation   what was told, what of it is acknowledged, what the client may ask for
    protocols      which protocols there are
    shell          sockets

All but the shell is without input and output. The pages are in specs/protocols.
"""
