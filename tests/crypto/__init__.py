"""Tests of `nodealer.crypto`."""
