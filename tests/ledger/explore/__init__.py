"""Every state of a small table, over the real core.

What is explored. Three seats and two heights: an authored step, then one to which all contribute.
Seats that follow the rules are real ledgers; Byzantine seats sign anything for anybody. Messages
are lost, delayed, repeated and reordered without limit, seats crash at any moment, and patience
may end falsely in the rounds that are free. Every state is judged, as it is and after the network
has healed and timers have acted.

A state is what each seat that follows the rules has stored: its journal. What was sent follows from
the journals, so nothing is on its way; what Byzantine seats have said lies with those who heard it.

    table       signatures as a table: all that is replaced of a seat
    stage       the application: two heights
    setting     how many seats, which are Byzantine, what is switched off
    journal     journals as values, and when two are the same
    against     what seats have stored of each other, and when it proves somebody guilty
    nodes       each journal and each message once
    forge       what may be told to a seat
    groups      which messages are told together
    moves       what a seat can store next
    alike       which states need not be visited
    ends        what is a bad end
    visit       all states, breadth first
    walk        random walks, where there are too many
    rules       each rule taken away
"""
