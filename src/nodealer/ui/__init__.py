"""The table at a terminal: what a player sees of it, and what keys do."""
