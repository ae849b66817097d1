"""The shell of the terminal: the one part of it that reads, writes, waits, tells time.

    terminal    a real terminal: taken, measured, written to, and always given back
    full        the screen and its keys
    lines       plain lines, for pipes and screen readers
    threads     calls that may block for ever
    run         which of both, from what is known of the terminal

It decides nothing. What keys mean and what is to be seen is computed in the modules beside this
package; here bytes go in and out, under trio.
"""

from nodealer.terminal.shell.run import run_table

__all__ = ["run_table"]
