"""The loading of libp2p: the modules that run, none of the others, or a word on how to get it.

Whatever part of the library is imported imports all of it: QUIC, TLS, WebSocket, gossip, tables of
peers, metrics, and behind those a client of HTTP and another resolver of names. That is 45 MB and a
quarter of a second at each start for what is never called. So what is imported of it is what
`LOADED` names. In the place of all else stands a module whose every name is a `StandIn`: it can be
imported, compared with and caught, and raises `Bug` when it is called, so that nothing is left out
in silence. Packages are entered without running their `__init__`, which would load the rest.

The same is done with what only those parts of the library call that never run here (`OTHERS_LEFT`).

Two things are made and never asked (`IDLE`): the resolver of `multiaddr`, because names are looked
up by `library.dial`, and what is counted for metrics, which nobody takes. Whoever asks them raises
`Bug`, too.

`LOADED` is also the list of what has to be looked at when another version is taken: a test fails
when a module in it has changed. Where the library is not installed at all, importing it says how to
get it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Final

from nodealer.kernel import Bug, Reason
from nodealer.store import StoreError, Trouble

LIBRARY_NAME: Final = "libp2p"

RESOLVERS: Final = "multiaddr.resolvers"

OTHERS_LEFT: Final = (RESOLVERS, "cryptography.x509")
"""Packages of others that what is loaded of the library imports and, as it runs here, never calls:
for names, and for certificates of TLS."""

LOADED: Final = frozenset(
    f"{LIBRARY_NAME}.{name}"
    for name in (
        "abc",
        "connection_types",
        "crypto.ed25519",
        "crypto.exceptions",
        "crypto.keys",
        "crypto.pb.crypto_pb2",
        "crypto.serialization",
        "crypto.x25519",
        "custom_types",
        "encoding_config",
        "exceptions",
        "host.basic_host",
        "host.defaults",
        "host.exceptions",
        "host.ping",
        "identity.identify.identify",
        "identity.identify_push.identify_push",
        "io.abc",
        "io.exceptions",
        "io.trio",
        "io.utils",
        "network.auto_connector",
        "network.config",
        "network.connection.exceptions",
        "network.connection.raw_connection",
        "network.connection.swarm_connection",
        "network.connection_gate",
        "network.connection_pruner",
        "network.exceptions",
        "network.stream.exceptions",
        "network.stream.net_stream",
        "network.swarm",
        "network.tag_store",
        "peer.envelope",
        "peer.id",
        "peer.pb.peer_record_pb2",
        "peer.peer_record",
        "peer.peerdata",
        "peer.peerinfo",
        "peer.pb.crypto_pb2",
        "peer.pb.envelope_pb2",
        "peer.peerstore",
        "protocol_muxer.exceptions",
        "protocol_muxer.generic_selector",
        "protocol_muxer.multiselect",
        "protocol_muxer.multiselect_client",
        "protocol_muxer.multiselect_communicator",
        "rcmgr.metrics",
        "relay.circuit_v2.config",
        "relay.circuit_v2.exceptions",
        "relay.circuit_v2.pb.circuit_pb2",
        "relay.circuit_v2.protocol",
        "relay.circuit_v2.resources",
        "relay.circuit_v2.utils",
        "security.exceptions",
        "security.noise.exceptions",
        "security.noise.io",
        "security.noise.messages",
        "security.noise.patterns",
        "security.noise.pb.noise_pb2",
        "security.security_multistream",
        "stream_muxer.exceptions",
        "stream_muxer.muxer_multistream",
        "tools.anyio_service",
        "tools.anyio_service.api",
        "tools.anyio_service.context",
        "tools.anyio_service.exceptions",
        "tools.anyio_service.manager",
        "tools.anyio_service.stats",
        "tools.anyio_service.tasks",
        "tools.anyio_service.trio_manager",
        "tools.anyio_service.trio_tasks",
        "tools.anyio_service.utils",
        "transport.exceptions",
        "transport.manager",
        "transport.tcp.tcp",
        "transport.upgrader",
        "utils.address_validation",
        "utils.connection_shutdown",
        "utils.multiaddr_utils",
        "utils.paths",
        "utils.varint",
        "utils.version",
    )
)
"""The modules of the library that are loaded, and packages whose `__init__` is."""


IDLE: Final = frozenset({f"{RESOLVERS}.DNSResolver", f"{LIBRARY_NAME}.metrics.swarm.SwarmEvent"})
"""What the library makes and, as it runs here, never asks."""

HANDED_ON: Final = {
    f"{LIBRARY_NAME}.rcmgr.Direction": f"{LIBRARY_NAME}.rcmgr.metrics",
    f"{LIBRARY_NAME}.utils.get_agent_version": f"{LIBRARY_NAME}.utils.version",
}
"""Names that the `__init__` of a package would have, with the module that they come from."""


class StandIn(type):
    """Something of the library that was not loaded: a class to be named in types and caught."""

    def __getattr__(cls, name: str) -> StandIn:
        """Stand in for what it has, such as the messages in a module."""
        if name.startswith("__"):
            raise AttributeError(name)
        return _stand_in(cls.__module__, f"{cls.__qualname__}.{name}")

    def __call__(cls, *_: object, **__: object) -> object:
        """Refuse: whatever is used has to be loaded."""
        raise Bug(
            Reason.LOCAL_ARGUMENT,
            f"{cls.__module__}.{cls.__qualname__} is used, and was not loaded",
        )


class _Idle:
    """Something that is made and never asked."""

    def __getattr__(self, name: str) -> object:
        raise Bug(Reason.LOCAL_ARGUMENT, f"what the library makes idly is asked for {name}")


class _Left(ModuleType):
    """A module that was left out, or a package whose `__init__` was."""

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        whole = f"{self.__name__}.{name}"
        if any(one == whole or one.startswith(f"{whole}.") for one in LOADED):
            return importlib.import_module(whole)
        if whole in HANDED_ON:
            return getattr(importlib.import_module(HANDED_ON[whole]), name)
        found = _Idle if whole in IDLE else _stand_in(self.__name__, name)
        setattr(self, name, found)
        return found


def _stand_in(module: str, name: str) -> StandIn:
    return StandIn(name, (Exception,), {"__module__": module, "__qualname__": name})


_LEFT: Final = tuple(f"{name}." for name in (LIBRARY_NAME, *OTHERS_LEFT))


class _Choosing(MetaPathFinder, Loader):
    """The finder of modules that is asked before all others."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del target
        if not f"{fullname}.".startswith(_LEFT):
            return None
        if fullname in LOADED:
            return None
        found = PathFinder.find_spec(fullname, path)
        if found is None:
            if fullname == LIBRARY_NAME:
                raise StoreError(Trouble.NETWORK, LIBRARY_NAME)
            return None
        left = ModuleSpec(fullname, self, is_package=True)
        left.submodule_search_locations = found.submodule_search_locations or []
        return left

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Left(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Run nothing."""


def load_what_runs() -> None:
    """See to it that of the library only that is loaded, from now on."""
    if not any(isinstance(one, _Choosing) for one in sys.meta_path):
        sys.meta_path.insert(0, _Choosing())
