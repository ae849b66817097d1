"""`nodealer doctor`: says whether everything is in order to play, and what to do if not."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile

if TYPE_CHECKING:
    from nodealer.node.examining import Finding

DESCRIPTION = """\
Looks at your identity, disk, clock and network, and says what is wrong and what helps. Whether
others reach you can only be found out by somebody outside: name a relay, which is asked to dial
back and to let somebody in. Nothing is changed.

examples:
  nodealer doctor
  nodealer doctor --relay /ip4/192.0.2.7/tcp/4001/p2p/12D3Koo...
  nodealer doctor --json
"""

EPILOG = "The exit code is 0 if nothing is bad, else 1; doubtful is not bad."


def register(commands: Commands) -> None:
    """Describe `doctor`."""
    doctor = add_command(
        commands,
        "doctor",
        "find out whether others can reach you, and what is wrong",
        DESCRIPTION,
        EPILOG,
    )
    add_profile(doctor)
    add_network(doctor)
    doctor.add_argument("--json", action="store_true", help="one JSON object")


def run(args: argparse.Namespace) -> int:
    """Look, and tell."""
    import trio

    from nodealer.cli.at_table import listening
    from nodealer.node.examining import Health, at_home, outside
    from nodealer.store import places_of

    profile = places_of(os.environ).profile(args.profile)
    findings = [*at_home(profile), *trio.run(outside, listening(args))]
    is_well = all(one.standing is not Health.BAD for one in findings)
    if args.json:
        emit_json({"well": is_well, "findings": [_as_json(one) for one in findings]})
    else:
        emit_text("\n".join(_lines(findings)))
    return 0 if is_well else 1


def _lines(findings: Sequence[Finding]) -> list[str]:
    lines = []
    for one in findings:
        lines.append(f"{one.subject:<10} {one.standing.value:<9} {one.text}")
        if one.advice:
            lines.append(f"{'':<20} → {one.advice}")
    return lines


def _as_json(one: Finding) -> dict[str, Json]:
    return {
        "subject": one.subject,
        "standing": one.standing.value,
        "text": one.text,
        "advice": one.advice,
        "cause": None if one.cause is None else one.cause.value,
    }
