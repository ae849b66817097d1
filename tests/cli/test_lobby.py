"""`host` and `join` as two people use them, each at a terminal, with a crash in the middle."""

from __future__ import annotations

import json
from pathlib import Path

from nodealer.lobby import read_invite
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


def talk_and_compare(host: Person, guest: Person) -> None:
    """Have both say something, and look at the words that they have together."""
    host.types("say hello, it is me")
    guest.reads("]: hello, it is me")
    guest.types("say I know")
    host.reads("]: I know")
    guest.types("words")
    guest.reads("the words of this lobby, the same for all who have a seat: ")
    both = guest.rest_of_line()
    host.types("words")
    host.reads(f"the same for all who have a seat: {both}")
    assert len(both.split()) == 2


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
            talk_and_compare(host, guest)
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
    a_friend_comes_without_an_invite(ana, bea, tmp_path / "cleo")


def a_friend_comes_without_an_invite(ana: Path, bea: Path, cleo: Path) -> None:
    """Have Ana name Bea, with whom she has played: she comes in, and somebody else does not."""
    with person(ana, *HOST, "--new", "--with", "Bea") as host:
        at = read_invite(invite_of(host)).addresses[0]
        with person(bea, *JOIN, "--from", "Ana", "--at", at) as guest:
            guest.reads("looking for Ana")
            guest.reads("do you sit down to this?")
            host.reads("is known to you")
            guest.types("no")
            guest.reads("you have left the lobby")
        refused = nodealer("join", "--from", "Ana", "--at", at, NODEALER_HOME=str(cleo))
        assert "you know nobody called 'Ana'" in refused.stderr
        host.types("quit")
        host.reads("the lobby is closed")
    refused = nodealer("host", "macaua", "--with", "Cleo", NODEALER_HOME=str(ana))
    assert "you know nobody called 'Cleo'" in refused.stderr
