"""The command line: one module for each command, and `main`, which finds and runs them."""
