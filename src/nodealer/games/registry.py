"""The games that there are, and the options of a table.

A game is found by its id and its version. A new table is of the newest, which is what a package
offers; those before it are its `earlier`, and whatever was founded by one of them is played on and
judged by it. Ours stand in `BUILT_IN`; those of others are found by the entry point
group `nodealer.games` of whatever is installed beside us:

    [project.entry-points."nodealer.games"]
    high-card = "high_card:HIGH_CARD"

The name is the game's id, the value where to find it. Nothing is imported before it is asked for,
so a package that is broken hurts nobody who does not want its game. Two packages that offer the
same id are both refused: peers must mean the same rules by it.

What is installed is looked at once: that takes as long as opening a table does. Who installs a
package while the program runs calls `look_again`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from nodealer.games.api import Option, Options
from nodealer.games.base import AnyGame, Game
from nodealer.games.seeds import SeedProtocol
from nodealer.kernel import LocalError, Reason

GROUP = "nodealer.games"

BUILT_IN = MappingProxyType(
    {
        "66": "nodealer.games.sixty_six:SIXTY_SIX",
        "macaua": "nodealer.games.macaua:MACAUA",
        "papas": "nodealer.games.papas:PAPAS",
        "take5": "nodealer.games.take5:TAKE5",
    }
)
"""Our own games, which are found even where nothing is installed."""

ID_SHOWN_MAX = 40
"""Of an id that nobody knows, so much is repeated."""

YES_AND_NO = MappingProxyType({"yes": True, "true": True, "no": False, "false": False})


def game_ids() -> tuple[str, ...]:
    """Return the ids of all games, whether they work or not."""
    return tuple(sorted(_offers()))


def game(game_id: str, version: int | None = None) -> AnyGame:
    """Return a game by its id: in the version that is asked for, else the newest."""
    newest = _newest(game_id)
    if version is None:
        return newest
    for found in (newest, *newest.earlier):
        if found.version == version:
            return found
    raise _not_here(newest, version)


def all_games() -> Mapping[str, AnyGame]:
    """Return all games that work, by id."""
    found = {}
    for game_id in game_ids():
        try:
            found[game_id] = game(game_id)
        except LocalError:
            continue  # `problems` tells
    return MappingProxyType(found)


def problems() -> Mapping[str, str]:
    """Return what is wrong with the games that do not work, by id."""
    found = {}
    for game_id in game_ids():
        try:
            game(game_id)
        except LocalError as error:
            found[game_id] = error.detail
    return MappingProxyType(found)


def resolve(rules: AnyGame, seats: int, given: Options, *, by_letters: bool = False) -> Options:
    """Return all options of a table, those not given at their defaults.

    A table by letters is one at which a turn may take days.
    """
    least, most = rules.seats
    if not least <= seats <= most:
        raise _refused(f"{rules.title} is for {least} to {most} seats, not {seats}")
    known = {option.name: option for option in rules.options}
    for name in given:
        if name not in known:
            raise _refused(f"{rules.title} has no option {name!r}; {_listed(known)}")
    options = {
        name: _checked(option, given.get(name, option.usual(by_letters=by_letters)))
        for name, option in known.items()
    }
    resolved = MappingProxyType(dict(sorted(options.items())))
    rules.check_options(seats, resolved)
    return resolved


def parse_options(rules: AnyGame, texts: Iterable[str]) -> Options:
    """Return options that people gave as `name=value`; `resolve` does the rest."""
    known = {option.name: option for option in rules.options}
    given: dict[str, int | str | bool] = {}
    for text in texts:
        name, mark, value = text.partition("=")
        if not mark:
            raise _refused(f"an option is given as name=value, not {text!r}")
        if name in given:
            raise _refused(f"the option {name} is given twice")
        given[name] = _parsed(known[name], value) if name in known else value
    return MappingProxyType(given)


def seed_protocol(rules: AnyGame, name: str, options: Options) -> SeedProtocol:
    """Return a protocol of a game by its name, for a table with these options."""
    known = {protocol.name: protocol for protocol in rules.seed_protocols()}
    if name not in known:
        there_are = f"it has {', '.join(known)}" if known else "it has none"
        raise _refused(f"{rules.title} has no protocol {name[:ID_SHOWN_MAX]!r}; {there_are}")
    for option, value in known[name].options:
        if options[option] != value:
            wrong = f"this table has {option}={options[option]}"
            raise _refused(f"{name} needs {option}={value}; {wrong}")
    return known[name]


def look_again() -> None:
    """Forget which games are installed; who asks next looks anew."""
    _offers.cache_clear()


@cache
def _offers() -> Mapping[str, set[EntryPoint]]:
    """Return what is on offer under each id; the same place named twice is one offer."""
    places = set(BUILT_IN.items())
    places |= {(point.name, point.value) for point in entry_points(group=GROUP)}
    offers: dict[str, set[EntryPoint]] = {}
    for name, value in places:
        offers.setdefault(name, set()).add(EntryPoint(name, value, GROUP))
    return offers


def _loaded(offer: EntryPoint) -> AnyGame:
    try:
        found = offer.load()
    except Exception as error:  # whatever a package of others does when it is imported
        raise _refused(
            f"the game {offer.name!r} cannot be loaded from {offer.value}: {error!r}"
        ) from error
    if not isinstance(found, Game):
        raise _refused(f"{offer.value} is not a game, which is a `nodealer.games.Game`")
    if found.id != offer.name:
        raise _refused(f"{offer.value} is offered as {offer.name!r} and calls itself {found.id!r}")
    return found


def _newest(game_id: str) -> AnyGame:
    offers = _offers().get(game_id)
    if offers is None:
        raise _unknown(game_id)
    if len(offers) > 1:
        places = ", ".join(sorted(offer.value for offer in offers))
        raise _refused(f"several packages offer a game {game_id!r}: {places}")
    (offer,) = offers
    return _loaded(offer)


def _unknown(game_id: str) -> LocalError:
    near = get_close_matches(game_id.lower()[:ID_SHOWN_MAX], game_ids())
    meant = f", perhaps {' or '.join(near)}" if near else ""
    return _refused(
        f"there is no game {game_id[:ID_SHOWN_MAX]!r}{meant}; there are {', '.join(game_ids())};"
        " others come with packages that are installed beside nodealer"
    )


def _not_here(newest: AnyGame, version: int) -> LocalError:
    here = " and ".join(str(one.version) for one in (newest, *newest.earlier))
    detail = f"{newest.title} is installed in version {here}, and this is version {version}"
    return LocalError(Reason.TABLE_RULES, detail)


def _checked(option: Option, value: object) -> int | str | bool:
    if isinstance(value, bool | int | str) and type(value) is type(option.default):
        if isinstance(value, bool):
            return value
        if isinstance(value, int) and option.minimum <= value <= option.maximum:
            return value
        if isinstance(value, str) and _is_one_of(option, value):
            return value
    raise _refused(f"{option.name} is {values_of(option)}, not {value!r}")


def _is_one_of(option: Option, value: str) -> bool:
    fits = option.pattern and re.fullmatch(option.pattern, value) is not None
    return bool(fits) or value in option.choices


def _parsed(option: Option, text: str) -> int | str | bool:
    if isinstance(option.default, bool):
        return YES_AND_NO.get(text.lower(), text)
    if isinstance(option.default, int) and text.lstrip("-").isdecimal() and text.isascii():
        return int(text[:20])
    return text


def values_of(option: Option) -> str:
    """Say for people which values an option may have."""
    if isinstance(option.default, bool):
        return "yes or no"
    if isinstance(option.default, int):
        return f"a number from {option.minimum} to {option.maximum}"
    if option.pattern:
        return f"a text such as {option.examples[0]}"
    return f"one of {', '.join(option.choices)}"


def _listed(known: Mapping[str, Option]) -> str:
    return f"it has {', '.join(sorted(known))}" if known else "it has none"


def _refused(detail: str) -> LocalError:
    return LocalError(Reason.LOCAL_ARGUMENT, detail)
