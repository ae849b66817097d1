"""`host` and `join` as two people use them, each at a terminal, with a crash in the middle."""

from __future__ import annotations

import json
from pathlib import Path

from nodealer.store.identity import read_key_file
from nodealer.store.places import places_of
from nodealer.store.words import words_of
from tests.cli.person import Person, person
from tests.cli.program import nodealer

LOOPBACK = ("--listen", "/ip4/127.0.0.1/tcp/0")
HOST = ("host", "macaua", "--name", "Ana", "--no-qr", *LOOPBACK)
JOIN = ("join", "--name", "Bea", *LOOPBACK)


def invite_of(host: Person) -> str:
    """Return the line that the host is to pass on."""
    host.reads("nodealer1")
    return "nodealer1" + host.reads("\n").strip()


def words(home: Path) -> str:
    """Return the words of the player who lives there."""
    profile = places_of({"NODEALER_HOME": str(home)}).profile()
    return " ".join(words_of(read_key_file(profile.key).public))


def accept(guest: Person) -> None:
    """Say yes until it is taken: not before the offer can have been read."""
    while True:
        guest.types("yes")
        guest.reads("nodealer: ")
        if "you have accepted" in guest.rest_of_line():
            return


def test_two_people_come_together_although_the_host_crashes(tmp_path: Path) -> None:
    ana, bea = tmp_path / "ana", tmp_path / "bea"
    with person(bea, *JOIN) as guest:
        with person(ana, *HOST) as host:
            invite = invite_of(host)
            host.reads("free")
            guest.reads("invite: ")
            guest.types(invite)
            guest.reads(f"its words: {words(ana)}")
            guest.reads("do you sit down to this?")
            host.reads(f"compare: {words(bea)}")
            host.types("option call=yes")
            guest.reads("option call: no -> yes")
            guest.reads("do you sit down to this?")
            guest.types("confirm Ana")
            guest.reads("with the words compared")
            accept(guest)
            host.reads("1 of 2 have accepted")
            host.kill()
        listed = nodealer("tables", NODEALER_HOME=str(ana))
        assert "an open lobby" in listed.stdout
        with person(ana, "host", "--no-qr") as host:
            assert invite_of(host) == invite
            host.reads("call=yes")
            host.types("start")
            host.reads("the table is founded")
            guest.reads("the table is founded")
            assert host.interrupt() == 130
        assert guest.interrupt() == 130
    (one,) = nodealer("tables", "--json", NODEALER_HOME=str(ana)).stdout.splitlines()
    (other,) = nodealer("tables", "--json", NODEALER_HOME=str(bea)).stdout.splitlines()
    assert json.loads(one)["table"] == json.loads(other)["table"]
