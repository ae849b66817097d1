"""`nodealer doctor`: says whether everything is in order to play, and what to do if not."""

from __future__ import annotations

from nodealer.cli.parsers import Commands, add_command
from nodealer.cli.seats import add_network, add_profile

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
    doctor.set_defaults(module="nodealer.cli.run_doctor")
