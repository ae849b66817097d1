"""A table at which something goes wrong, live, as an honest player sees it on the page.

Real nodes play, each by itself; the first of them stands still or lies, and from then on nobody
plays any more, so what the page shows stays there to be looked at.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import trio
from playwright.sync_api import BrowserContext, Locator, Page, expect

from nodealer.bots import bot_for
from nodealer.crypto import SigningKey
from nodealer.games import registry
from nodealer.kernel import Chance, Seat
from nodealer.ledger import DOMAINS, Clock, Contributed, Ready, write
from nodealer.node import ForTable, Keeper, offered, write_envelope
from nodealer.node.auto import play_by
from nodealer.table import Table
from tests.node.ether import FaultyEther
from tests.page.company import Plays, gathered
from tests.page.serving import in_thread
from tests.page.table.playing import Looked

GAME: Final = "66"
"""Its rounds do not count once somebody was left out, which is to be said as well."""

WRONG, ANA, OTHER = Seat(0), Seat(1), Seat(2)

DEALT_HEIGHT: Final = 6

QUICK: Final = Clock(act=300_000, answer=6_000, rejoin=6_000, longest=600_000)
"""Nobody is missed for not playing, and who falls silent is left out soon."""

WAITING_MAX: Final = 32

SAID_MS: Final = 30_000
"""What is seen is said in the same moment; a machine under load is waited for."""


async def plays_until_somebody_is_out(keeper: Keeper) -> None:
    """Play as bots do, for as long as all are there."""
    assert keeper.seat is not None, "it plays"
    bot, chance = bot_for(registry.game(GAME)), Chance("wrong", keeper.seat)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(play_by, keeper, bot, chance)
        while len(keeper.table.position.roster) == len(keeper.journal.charter.keys):
            await keeper.changed()
        nursery.cancel_scope.cancel()


def stands_still(ether: FaultyEther) -> Plays:
    """Return the play of somebody whose machine stands still once the cards are dealt."""

    async def play(keeper: Keeper) -> None:
        def look(table: Table, _: Ready) -> None:
            if table.ledger.tip.height >= DEALT_HEIGHT:
                ether.hold(f"seat-{WRONG}")

        keeper.observers.add(look)
        await plays_until_somebody_is_out(keeper)

    return play


async def lies(keeper: Keeper) -> None:
    """Play well, and say to all others what is not so beside what is, once the cards are dealt."""
    signer: SigningKey = keeper.journal.signer()

    def look(_: Table, ready: Ready) -> None:
        for out in ready.send:
            if not isinstance(out.message, Contributed):
                continue
            one = out.message.contribution
            if one.seat != keeper.seat or one.height < DEALT_HEIGHT:
                continue
            payloads = tuple((part, payload[::-1]) for part, payload in one.payloads)
            lie = replace(one, payloads=payloads)
            signature = signer.sign(DOMAINS[type(lie)], lie.body())
            said = write(Contributed(replace(lie, signature=signature)))
            for seat in keeper.others:
                envelope = write_envelope(ForTable(keeper.id), said)
                offered(keeper.link_to(seat), envelope, WAITING_MAX)

    keeper.observers.add(look)
    await plays_until_somebody_is_out(keeper)


HEAR: Final = """
window.heard = [];
new MutationObserver((seen) => {
  const added = seen.flatMap((one) => [...one.addedNodes]);
  const said = added.filter((one) => one.parentElement?.id === "said");
  heard.push(...said.map((one) => one.textContent));
}).observe(document, {childList: true, subtree: true});
"""
"""Keeps all that was said aloud: the page itself keeps the newest sentences alone."""


def seen(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.add_init_script(HEAR)
    page.goto(address)
    return page


def requires_out(page: Page, sitting: str) -> None:
    """The seat is marked, the notice stands above the table, and the others are at it still."""
    expect(page.locator(f".seat[data-sitting='{sitting}'] .seat-name")).to_have_text("Ada")
    expect(page.locator(".seat[data-sitting='there']")).to_have_count(1)  # without the own one
    void = "Without Ada this round does not count; it is dealt again."
    expect(notice(page, "void")).to_contain_text(void)
    page.wait_for_function("(words) => heard.includes(words)", arg=void, timeout=SAID_MS)


def notice(page: Page, kind: str) -> Locator:
    return page.locator(f".notice[data-kind='{kind}']")


def test_a_peer_that_falls_silent_is_left_out_before_the_eyes_of_the_others(
    context: BrowserContext, tmp_path: Path
) -> None:
    ether = FaultyEther()
    plays = dict.fromkeys((ANA, OTHER), plays_until_somebody_is_out)
    begin = partial(gathered, tmp_path, GAME, ("Ana",), 2, {}, clock=QUICK, ether=ether)
    looked = Looked(context)
    with in_thread(partial(begin, plays={**plays, WRONG: stands_still(ether)})) as (home,):
        page = seen(context, home.at.address)
        requires_out(page, "left out")
        told = re.compile(r"Left out in round \d+, by the votes of Ana and Bruno: Ada")
        expect(page.locator(".line").filter(has_text=told)).to_have_count(1)
        expect(notice(page, "proven")).to_have_count(0)
        assert home.told == []
    assert looked.complaints == []


def test_a_cheat_is_named_with_place_and_proof_before_the_eyes_of_the_others(
    context: BrowserContext, tmp_path: Path
) -> None:
    plays = dict.fromkeys((ANA, OTHER), plays_until_somebody_is_out)
    begin = partial(gathered, tmp_path, GAME, ("Ana",), 2, {}, clock=QUICK)
    looked = Looked(context)
    with in_thread(partial(begin, plays={**plays, WRONG: lies})) as (home,):
        page = seen(context, home.at.address)
        proven = notice(page, "proven")
        expect(proven.locator("h2")).to_have_text("Somebody cheated, and it is proven")
        expect(proven).to_contain_text(
            re.compile(r"Ada signed two different things .*\(E1\), at height \d+\.")
        )
        expect(proven).to_contain_text("kept with the record of this table; anybody can check it")
        alarm = page.locator(".line[data-tone='alarm']").filter(has_text="Proven: Ada signed")
        expect(alarm).to_have_count(1)
        requires_out(page, "proven")
        assert home.told == []
    assert looked.complaints == []
