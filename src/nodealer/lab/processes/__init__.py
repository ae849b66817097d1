"""Real games among processes on this machine.

    real_table       the profiles and the charter of such a table
    real_processes   the processes of its seats: started, killed, started again
    real_game        a game among them, as a record like that of a simulated one
    real_seat        the process of one seat
    measured_seat    the same, which measures what it does

The processes of seats load nothing that their seat does not need; so neither does this door.
"""
