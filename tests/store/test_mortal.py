"""A player who is killed again and again, anywhere, comes to the same end, and nobody is blamed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from nodealer.store.opening import open_journal
from nodealer.store.seats import come_back_to
from nodealer.store.transcripts import transcript
from nodealer.verify import Verdict, judge_bytes
from tests.store.mortal import CHARTER
from tests.store.players import home_in
from tests.store.playing import recorded
from tests.tidy.project import ROOT

STRIDES = {31: 15}
"""How many deaths there are at least; fewer would mean that processes do not die as they should."""

STRIDES_IN_FULL = dict.fromkeys((31, 1, 12, 23, 47, 58, 79, 90), 15)


def test_it_plays_the_game_that_it_would_have_played(tmp_path: Path, is_full: bool) -> None:
    for stride, deaths_min in (STRIDES_IN_FULL if is_full else STRIDES).items():
        folder = tmp_path / str(stride)
        folder.mkdir()
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tests.store.mortal", str(folder), str(stride)],
            env={**os.environ, "PYTHONPATH": f"{ROOT}/src:{ROOT}"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told = json.loads(done.stdout)
        (calm,) = recorded().tips()
        assert told["closed"]
        assert told["deaths"] >= deaths_min
        assert told["faults"] == []
        assert told["tip"] == calm.hex()
        home = home_in(folder)
        with closing(open_journal(home.profile, CHARTER.table, home.identity)) as journal:
            assert journal.doubt is None
            assert come_back_to(journal)[0].ledger.tip.id == calm
        report = judge_bytes(transcript(home.profile.journal(CHARTER.table))).report
        assert report.verdict is Verdict.COMPLETE
