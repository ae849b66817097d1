"""The schema of the page on the dialogue, asked of texts one by one."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from tests.tidy.project import ROOT

SCHEMA: dict[str, Any] = json.loads((ROOT / "specs" / "dialogue.schema.json").read_text("utf-8"))


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def require_said(text: str) -> dict[str, Any]:
    """Return what a text of the program says, which has to fit the schema of its kind."""
    said: dict[str, Any] = json.loads(text)
    _validator(f"said-{said['is']}").validate(said)
    return said


def wish_kinds() -> dict[str, str]:
    """Return under which definition each wish stands."""
    found: dict[str, str] = {}
    for name, one in SCHEMA["$defs"].items():
        if name.startswith("wish-"):
            do = one["properties"]["do"]
            found |= dict.fromkeys(do.get("enum", [do.get("const")]), name)
    return found


def is_wished(wish: dict[str, Any]) -> bool:
    """Say whether a wish fits the schema."""
    name = wish_kinds().get(wish.get("do", ""))
    return name is not None and _validator(name).is_valid(wish)
