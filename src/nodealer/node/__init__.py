"""What runs on one player's machine: how bytes travel to other peers, and what is kept of them.

`transport` carries whole messages between nodes that know each other by their keys. The parts of
this package are imported one by one: nothing here loads trio or libp2p for those who only read a
transcript.
"""
