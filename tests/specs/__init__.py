"""Tests of `specs`: the pages say what the code does, and a program made from them agrees."""
