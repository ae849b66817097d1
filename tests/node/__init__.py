"""Tests of what travels between nodes, with the library loaded as a node loads it.

Whichever test is imported first: what a node leaves out of it is left out here, too.
"""

import nodealer.node.transport  # noqa: F401 - for what importing it sets up
