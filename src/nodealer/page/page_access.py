"""Access to the page: a port, a token and the name of a cookie, remembered from run to run.

The token is 128 drawn bits. It stands behind the `#` of the address that the node prints, so a
browser sends it nowhere by itself; the page's script shows it once, and is given it back as a
cookie that no script can read. Cookies do not know ports: every program that serves pages on this
machine is sent all of them. So the cookie is named after the instance, which is drawn with the
token, and two profiles do not log each other out.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from nodealer.loopback import LOOPBACK
from nodealer.store import read_private, write_over

COOKIE_DAYS: Final = 30

FRAGMENT: Final = "token"

USUAL_PORT: Final = 26253
"""Where a page is served for the first time, if nobody else listens there: so the link of an invite
that somebody sends leads to the page of whoever opens it."""

_TOKEN_BYTES: Final = 16
_INSTANCE_BYTES: Final = 4
_FILE_BYTES_MAX: Final = 256
_PORTS: Final = range(1, 65536)

_TOKEN: Final = re.compile(r"[0-9a-f]{32}")
_INSTANCE: Final = re.compile(r"[0-9a-f]{8}")


@dataclass(frozen=True, slots=True)
class PageAccess:
    """The way in: where the page is served, and what has to be shown there."""

    port: int
    instance: str
    token: str = field(repr=False)

    @property
    def host(self) -> str:
        """The one name under which this place is asked for."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def origin(self) -> str:
        """The origin of the page's own scripts."""
        return f"http://{self.host}"

    @property
    def address(self) -> str:
        """The address that lets in whoever opens it."""
        return f"{self.origin}/#{FRAGMENT}={self.token}"

    @property
    def cookie_name(self) -> str:
        """The name of the cookie."""
        return f"nodealer-{self.instance}"

    @property
    def cookie(self) -> str:
        """The header that gives a browser the cookie."""
        age = COOKIE_DAYS * 24 * 60 * 60
        rules = f"Path=/; Max-Age={age}; HttpOnly; SameSite=Strict"
        return f"{self.cookie_name}={self.token}; {rules}"

    def is_token(self, shown: str) -> bool:
        """Say whether this is the token, in the same time whatever it is."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def has_cookie(self, header: str | None) -> bool:
        """Say whether the cookie is among those that a browser sent."""
        pairs = (one.strip().partition("=") for one in (header or "").split(";"))
        return any(name == self.cookie_name and self.is_token(value) for name, _, value in pairs)


def new_access(drawn: Callable[[int], str] = secrets.token_hex) -> PageAccess:
    """Draw a token and an instance."""
    return PageAccess(USUAL_PORT, drawn(_INSTANCE_BYTES), drawn(_TOKEN_BYTES))


def remembered(place: Path) -> PageAccess:
    """Return the access of the last run, or a new one if nothing readable is remembered."""
    if place.exists():
        with suppress(ValueError, KeyError, TypeError):
            return _read(json.loads(read_private(place, _FILE_BYTES_MAX)))
    return new_access()


def remember(place: Path, access: PageAccess, port: int) -> PageAccess:
    """Write the access down with the port that it has now."""
    now = replace(access, port=port)
    fields = {"port": now.port, "instance": now.instance, "token": now.token}
    write_over(place, json.dumps(fields).encode())
    return now


def _read(fields: dict[str, object]) -> PageAccess:
    port, instance, token = fields["port"], str(fields["instance"]), str(fields["token"])
    if not isinstance(port, int) or port not in _PORTS:
        raise ValueError(port)
    if not (_INSTANCE.fullmatch(instance) and _TOKEN.fullmatch(token)):
        raise ValueError(instance)
    return PageAccess(port, instance, token)
