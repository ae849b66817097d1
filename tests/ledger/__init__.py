"""The ledger over tiny applications."""
