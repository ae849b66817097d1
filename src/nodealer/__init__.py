"""Card games with no dealer and no server: mental poker whose every step is proven.

The package is a stack of layers; each may import what stands below it and nothing beside or above
(`specs/00-overview.md` draws it, the import contracts in `pyproject.toml` enforce it):

    cli                     people
    bots                    players that see a view and its legal actions
    deck   games   ledger   the whole mental-poker deck | pure rules | countersigned history
    crypto  cards  wire     group and proofs | faces and zones | strict CBOR
    kernel                  identifiers, limits, errors, the one encoding that is hashed and signed
"""

__version__ = "0.1.0"
