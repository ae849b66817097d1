"""Attacks on the deck, carried out with what an attacker has. Each must gain nothing."""
