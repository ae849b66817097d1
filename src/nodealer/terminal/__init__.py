"""The table at a terminal: keys, lines and the screen.

    keyboard, writing     bytes of the terminal as keys, and a line that is typed
    control               what the player has begun; from keys to a wish
    markdown              the rules of a game as lines
    spans, pages, panes   lines with looks, pages to be read, the parts of the screen
    screen                all of it, as lines of a window
    aloud                 plain lines, for pipes, screen readers and terminals that cannot draw
    shell                 the terminal itself: the one part that reads, writes, waits, tells time

All but the shell are functions of values. The page is specs/11-terminal.md.
"""

from nodealer.terminal.markdown import plain_lines
from nodealer.terminal.shell import run_table

__all__ = ["plain_lines", "run_table"]
