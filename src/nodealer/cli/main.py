"""The `nodealer` command: reads the command line, runs one command, and answers with an exit code.

Theory of operation
-------------------
A command is one module of this package with its name, listed in `COMMANDS`. Its `register` adds the
command's parser, and its `run(args) -> int` does the work. Describing happens for all commands at
every start; so at their top these modules import the standard library and cheap modules of this
package alone, and what does the work where it is done. `nodealer --help` answers at once then,
however much cryptography and networking the commands need. `tests/tidy` keeps it so.

Which module runs is the default `module` of a parser, because `bench` has one for each of its
subjects.

Everything that can end a command is turned into an exit code here and nowhere else:

* its own answer, 0 or 1;
* a wrong command line: 2, by `argparse`;
* an expected failure (`NodealerError`): one line with the stable slug and one with advice, 1;
* Ctrl-C: 130, without a traceback;
* a reader that went away (`nodealer ... | head`): silence, and 141 as shells count it.

Anything else is a defect of ours, and its traceback is what a bug report needs.

Data goes to standard output, messages go to standard error. There are no colours.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from nodealer import __version__
from nodealer.cli import (
    bench,
    doctor,
    export,
    host,
    integrate,
    join,
    leave,
    move,
    new_game,
    page,
    play,
    relay,
    replay,
    resume,
    rules,
    seat,
    simulate,
    tables,
    verify,
    watch,
)
from nodealer.cli.network_packages import get_network, require_network
from nodealer.cli.output import complain
from nodealer.cli.parsers import CommandFormatter, CommandParser

if TYPE_CHECKING:
    from nodealer.kernel import NodealerError

COMMANDS = (
    page,
    play,
    host,
    join,
    watch,
    tables,
    resume,
    leave,
    move,
    seat,
    relay,
    doctor,
    simulate,
    verify,
    replay,
    export,
    rules,
    new_game,
    bench,
    integrate,
)
"""The modules that describe a command, in the order of the help."""

EXIT_NEGATIVE = 1
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141

EXAMPLES = """\
examples:
  nodealer page                            your tables, games and friends in a browser
  nodealer play macaua --bots 3            sit down at once, against bots
  nodealer host macaua                     open a table for a friend, who types
  nodealer join                            and pastes the line that the host was given
  nodealer verify 8049f5                   whether a game was sound, and who broke a rule
  nodealer rules                           which games there are, and how each is played
"""

EPILOG = """\
exit codes:
  0    done
  1    a negative answer, or something that could not be done (the message says what)
  2    the command line is wrong
  10   verify: the game is unfinished
  11   verify: the file is invalid, and a seat has signed what is wrong
  12   verify: the file is invalid, and nobody's signature is on what is wrong
  13   verify, replay, export: the file cannot be read
  14   verify: the rules of the game are not installed; everything else holds
  130  interrupted with Ctrl-C
  141  the reader of the output went away
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that `arguments` (by default the process's own) ask for."""
    _open_missing_streams()
    try:
        args = parser().parse_args(arguments)
        code = _run(args) if args.module else _helped(args)
        # What is still buffered must fail here, where a broken pipe is expected.
        sys.stdout.flush()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BaseExceptionGroup as group:  # tasks that were interrupted together
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        _abandon_stdout()
        return EXIT_BROKEN_PIPE
    except OSError as error:
        complain(f"what it found cannot be written: {error.strerror}. Is the disk full?")
        _abandon_stdout()
        return EXIT_NEGATIVE
    finally:
        if arguments is None:
            # The process ends. To look for cycles in all that it has loaded takes longer than many
            # commands do.
            gc.freeze()
    return code


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    whole = CommandParser(
        prog="nodealer",
        usage="nodealer COMMAND ...",
        description=f"Card games with no dealer and no server.\n\n{EXAMPLES}",
        epilog=EPILOG,
        formatter_class=CommandFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="version", version=f"nodealer {__version__}")
    commands = whole.add_subparsers(
        prog="nodealer", title="commands", metavar="COMMAND", dest="command"
    )
    whole.set_defaults(module=None, helped=whole)
    for command in COMMANDS:
        command.register(commands)
    return whole


def _open_missing_streams() -> None:
    """Put nothing in the place of standard streams that are closed.

    Else the next file that is opened, a journal or a link, would be one of them.
    """
    for number, mode in enumerate(("r", "w", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
            name = ("stdin", "stdout", "stderr")[number]
            setattr(sys, name, os.fdopen(number, mode, closefd=False))


def _run(args: argparse.Namespace) -> int:
    try:
        require_network(args)
        module = importlib.import_module(args.module)
        return cast("Callable[[argparse.Namespace], int]", module.run)(args)
    except _expected() as error:  # evaluated only when something was raised
        get_network(error)
        complain(_told(error), _advice(error, args.command))
    return EXIT_NEGATIVE


def _helped(args: argparse.Namespace) -> int:
    """Print what there is to choose from, where nothing was chosen."""
    args.helped.print_help()
    return 0


def _expected() -> type[NodealerError]:
    # The kernel brings the CBOR library along, which `--help` does not need.
    from nodealer.kernel import NodealerError  # noqa: PLC0415 - help does without it

    return NodealerError


def _told(error: NodealerError) -> str:
    """Return an error in one line: what people have asked for comes before the name of the rule."""
    from nodealer.kernel import LocalError  # noqa: PLC0415 - as above

    is_plain = type(error) is LocalError and error.detail
    return f"{error.detail} ({error.slug})" if is_plain else str(error)


def _advice(error: NodealerError, command: str) -> str:
    from nodealer.kernel import Bug, LocalError  # noqa: PLC0415 - as above
    from nodealer.lobby import advice as advice_on  # noqa: PLC0415 - as above

    if advice := getattr(error, "advice", ""):
        return str(advice)
    if advice := advice_on(error.reason):
        return f"{advice[0].upper()}{advice[1:]}."
    match error:
        case Bug():
            return "This is a defect of nodealer. Please report it with the command you ran."
        case LocalError():
            return f"Nothing was changed. `nodealer {command} --help` says what is allowed."
        case _:
            return "What another seat sent was refused, and nothing was changed."


def _abandon_stdout() -> None:
    """Keep the interpreter from flushing into the closed pipe, and complaining, at its end."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
