"""Many peers in one process: whole tables from a seed, with everything that goes wrong."""
