"""A page is told of only if it can show the table that it was opened for."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from nodealer.node.practice import identity_in
from nodealer.store.opening import open_journal
from tests.cli.practising import founded_against_a_bot
from tests.cli.program import nodealer


def test_for_a_table_that_another_process_has_open_there_is_no_page(tmp_path: Path) -> None:
    places, table = founded_against_a_bot(tmp_path)
    profile = places.profile()
    with closing(open_journal(profile, table, identity_in(profile))):
        refused = nodealer("resume", "--page", NODEALER_HOME=str(tmp_path), SSH_TTY="no screen")
    assert refused.returncode == 1
    assert "another process has it open" in refused.stderr
    assert "http" not in refused.stdout + refused.stderr
