"""Tests of `nodealer.wire`."""
