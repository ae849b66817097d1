"""Tests of the deck: what each operation shows, to whom, and what it refuses."""
