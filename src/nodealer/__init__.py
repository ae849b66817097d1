"""Card games with no dealer and no server: mental poker whose every step is proven.

The package is a house of floors; each package imports what stands below it, through its door, and
nothing beside or above. `specs/architecture.md` has the picture and walks through it; the import
contracts in `pyproject.toml` hold it up.
"""

__version__ = "0.1.0"
