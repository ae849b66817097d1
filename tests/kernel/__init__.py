"""Tests of `nodealer.kernel`."""
