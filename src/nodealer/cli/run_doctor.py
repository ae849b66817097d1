"""Looks at everything, and tells what it has found."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

import trio

from nodealer.cli.at_table import listening
from nodealer.cli.output import Json, emit_json, emit_text
from nodealer.node.examining import Finding, Health, at_home, outside
from nodealer.store.places import places_of


def run(args: argparse.Namespace) -> int:
    """Look, and tell."""
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
