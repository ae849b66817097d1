"""The library is the one that was read: what is loaded of it, word for word, and nothing else.

`guarded` says what of libp2p a stranger can reach, and that rests on how these modules are written.
Whoever takes another version reads them again, sees what has changed, and then writes down what
they hash to: `python -m tests.node.test_library` prints it.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
from importlib.metadata import version

import pytest

from nodealer.node.transport.guarded import LIBRARY

MODULES = {
    "libp2p.crypto.ed25519": "60790dd6e34310b5",
    "libp2p.crypto.serialization": "f37fe58367ad9e75",
    "libp2p.host.basic_host": "e5bd8f6c2b0b6ff0",
    "libp2p.io.trio": "1bc7be280610c1b1",
    "libp2p.network.connection.raw_connection": "5b75c7d077a97921",
    "libp2p.network.connection.swarm_connection": "02bd6b93b095f9fd",
    "libp2p.network.stream.net_stream": "d637e9fec092784b",
    "libp2p.network.swarm": "de38ce6378189974",
    "libp2p.peer.envelope": "d513dce93b1c7f65",
    "libp2p.relay.circuit_v2.protocol": "c16e926869ae1bb3",
    "libp2p.relay.circuit_v2.resources": "31554702397ef177",
    "libp2p.relay.circuit_v2.utils": "fd5106b80e4dc364",
    "libp2p.security.noise.patterns": "07410f643eb4a988",
    "libp2p.transport.tcp.tcp": "725e5fc47f1a9f85",
    "libp2p.utils.varint": "85ae972e779e52ab",
    "noise.connection": "0953d68fdfc8aa84",
    "noise.noise_protocol": "37abb8c458dce195",
    "noise.state": "ad1e4c050d8d6df2",
}


def digest(name: str) -> str:
    source = inspect.getsource(importlib.import_module(name))
    return hashlib.sha256(source.encode()).hexdigest()[:16]


def test_the_version_is_the_one_that_was_examined() -> None:
    assert version("libp2p") == LIBRARY


@pytest.mark.parametrize("name", MODULES)
def test_a_module_is_as_it_was_when_it_was_read(name: str) -> None:
    assert digest(name) == MODULES[name]


if __name__ == "__main__":
    sys.stdout.writelines(f'    "{one}": "{digest(one)}",\n' for one in MODULES)
