"""Tests of `nodealer.cards`."""
