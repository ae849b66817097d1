"""The ways on which messages of simulated games travel, and what can go wrong on the real one."""

MEMORY = "memory"
LIBP2P = "libp2p"

REAL_FAULTS = {"none": (), "crash": ("fault stopped", "fault came back")}
"""What can go wrong among processes, and what it is counted as."""
