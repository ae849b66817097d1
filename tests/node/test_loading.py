"""Of the library is loaded what runs, and what was left out cannot be used in silence."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import json
import subprocess
import sys
from importlib.machinery import PathFinder
from importlib.metadata import requires
from socket import AF_INET, AF_INET6, AddressFamily

import pytest
from libp2p.discovery.upnp.upnp import UpnpManager
from multiaddr.resolvers import DNSResolver  # type: ignore[import-untyped]  # it has no types
from multiaddr.utils import (  # type: ignore[import-untyped]
    get_network_addrs,
    is_link_local_ip,
)
from packaging.requirements import Requirement
from psutil import net_if_addrs  # type: ignore[import-untyped]  # only the library needs it

from nodealer.kernel import Bug
from nodealer.node.transport import loading
from nodealer.node.transport.loading import LOADED, StandIn
from nodealer.store import StoreError, Trouble

DIGEST = "1f58d9d29cfad64b"
"""Of all modules that are loaded. Where another version of the library has changed one, look what
it takes from those that are left out, and run this module: it prints the digest."""

LATE = {"libp2p.utils.connection_shutdown"}
"""What the library loads in the middle of its work."""

PROGRAM = """
import json, sys
import nodealer.node.network
specs = {name: getattr(module, "__spec__", None) for name, module in sys.modules.items()}
print(json.dumps([name for name, spec in specs.items() if spec is not None and spec.origin]))
"""

DROPPED = {"grpcio": "grpc", "mypy-protobuf": "mypy_protobuf", "rpcudp": "rpcudp"}
"""What libp2p requires and nothing here imports, with the name of the module; `types-requests`, the
fourth that set-up and the packages leave out, has none."""

HEAVY = {
    *("Crypto", "aioquic", "dns", "fastecdsa", "httpx", "requests", "rich", "segno", "zeroconf"),
}


def addresses_of(family: AddressFamily) -> list[str]:
    """Return the addresses of this machine, in the order of its interfaces."""
    found = (one for each in net_if_addrs().values() for one in each if one.family == family)
    return [one.address.partition("%")[0] for one in found]


def digest() -> str:
    sources = (inspect.getsource(importlib.import_module(name)) for name in sorted(LOADED))
    return hashlib.sha256("".join(sources).encode()).hexdigest()[:16]


def test_what_is_loaded_is_as_it_was_when_it_was_chosen() -> None:
    assert digest() == DIGEST


def test_what_a_node_loads_is_what_runs_and_nothing_heavy() -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True
    )
    loaded = set(json.loads(done.stdout))
    assert {name for name in loaded if name.partition(".")[0] == "libp2p"} == LOADED - LATE
    tops = {name.partition(".")[0] for name in loaded}
    assert not tops & (HEAVY | set(DROPPED.values()))


def test_what_was_left_out_can_be_named_and_caught_and_not_used() -> None:
    assert isinstance(UpnpManager, StandIn)
    assert not isinstance(3, UpnpManager)
    with pytest.raises(Bug, match=r"libp2p\.discovery\.upnp\.upnp\.UpnpManager is used"):
        UpnpManager()
    with pytest.raises(Bug, match=r"UpnpManager\.discover is used"):
        UpnpManager.discover(None)
    with pytest.raises(Bug, match="asked for resolve"):
        DNSResolver().resolve("/dns/example.org")


def test_the_machine_is_asked_for_its_addresses() -> None:
    """The library takes any failure of this for a machine that only it can reach."""
    assert [get_network_addrs(4), get_network_addrs(6)] == [
        [one for one in found if not is_link_local_ip(one) and one not in ("127.0.0.1", "::1")]
        for found in (addresses_of(AF_INET), addresses_of(AF_INET6))
    ]


def test_what_is_not_there_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("libp2p.nothing")


def test_without_the_library_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (finder,) = (one for one in sys.meta_path if isinstance(one, loading._Choosing))
    monkeypatch.setattr(PathFinder, "find_spec", lambda *_: None)
    with pytest.raises(StoreError) as error:
        finder.find_spec("libp2p", None)
    assert error.value.trouble is Trouble.NETWORK


def test_what_is_loaded_is_chosen_once() -> None:
    before = list(sys.meta_path)
    loading.load_what_runs()
    assert sys.meta_path == before


def test_the_library_requires_still_what_is_left_out_or_widened() -> None:
    """Where it does not any more, `[tool.uv]` and `scripts/release` have to forget about it."""
    wanted = {one.name: one for one in map(Requirement, requires("libp2p") or ())}
    assert str(wanted["fastecdsa"].specifier) == "==2.3.2"
    assert wanted.keys() >= {*DROPPED, "types-requests"}


if __name__ == "__main__":
    sys.stdout.write(f"{digest()}\n")
