"""Builds what nodealer is installed from.

Into one directory come

    nodealer-*.whl, nodealer-*.tar.gz    the project itself
    libp2p-*+nodealer.N-*.whl            libp2p, made anew from the wheel that `net.lock` names
    libp2p-*+nodealer.N.changes.txt      what was changed in it, line for line

libp2p pins a version of fastecdsa that has to be compiled, for a security transport that nodealer
does not use, and requires packages that none of its modules here imports. `[tool.uv]` of
`pyproject.toml` says so to set-up, and nobody else reads that. So a wheel with other requirements
stands beside ours, as a local version, which every tool prefers to the one it was made from:

    pip install --find-links dist 'nodealer[net]'

Nothing of libp2p is kept in the project: the wheel is fetched, compared with the hash in the lock,
and no byte of it is changed outside its metadata. `tests/node/test_loading.py` fails when libp2p
does without the pin; then this goes, and so does the override.

Where whoever publishes this and where to report what is wrong are not filled in yet, nothing is
built: a package cannot be taken back. `--trial` builds it for trying.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

LIBRARY = "libp2p"

REMADE = 1
"""Counts up when the wheel is made otherwise from the same one."""

PINNED = "fastecdsa==2.3.2"
WIDENED = "fastecdsa>=2.3.2,<5"

DROPPED = ("grpcio", "mypy-protobuf", "rpcudp", "types-requests")

UNFILLED = re.compile(r"\.invalid\b|to be filled in")
"""What stands in `pyproject.toml` in the place of people and addresses."""

CHANGES = "nodealer.changes.txt"
"""The name of the list of changes inside of the wheel."""


class ReleaseError(Exception):
    """Nothing can be built; the message says why."""


def unfilled(project: Mapping[str, object]) -> Iterator[str]:
    """Yield what is a placeholder in the description of the project."""
    for key in ("authors", "urls"):
        text = str(project.get(key, "to be filled in"))
        if UNFILLED.search(text):
            yield f"project.{key} of pyproject.toml: {text}"


def locked(lock: str, name: str) -> tuple[str, frozenset[str]]:
    """Return the version of a package that a lock names, and the hashes of its files."""
    entry = re.search(
        rf"^{name}==(\S+)((?: \\\n)?(?: *--hash=sha256:\w+(?: \\\n)?)+)", lock, re.MULTILINE
    )
    if entry is None:
        raise ReleaseError(f"the lock does not name {name}")
    return entry[1], frozenset(re.findall(r"sha256:(\w+)", entry[2]))


def fetch(name: str, version: str, hashes: frozenset[str], place: Path) -> Path:
    """Fetch the wheel of a package; pip refuses one that has none of the hashes."""
    wanted = place / "wanted.txt"
    wanted.write_text(" ".join([f"{name}=={version}", *(f"--hash=sha256:{one}" for one in hashes)]))
    options = ("--no-deps", "--only-binary", ":all:", "--require-hashes", "--quiet")
    command = [sys.executable, "-m", "pip", "download", *options, "-d", str(place)]
    try:
        subprocess.run([*command, "-r", str(wanted)], check=True)
    except subprocess.CalledProcessError as error:
        raise ReleaseError(f"the wheel of {name} that the lock names is not to be had") from error
    (wheel,) = place.glob("*.whl")
    return wheel


def changed(metadata: str, version: str) -> tuple[str, list[str]]:
    """Return the metadata of the library with other requirements, and a line for each change."""
    replaced = {f"Version: {version}": f"Version: {version}+nodealer.{REMADE}"}
    dropped = set()
    for line in metadata.partition("\n\n")[0].splitlines():
        if line.startswith(f"Requires-Dist: {PINNED}"):
            replaced[line] = line.replace(PINNED, WIDENED)
        elif line.startswith("Requires-Dist: ") and re.split(r"[ <>=!~;\[]", line)[1] in DROPPED:
            dropped.add(line)
    if len(replaced) != 2 or len(dropped) != len(DROPPED):  # noqa: PLR2004 - a pin and a version
        raise ReleaseError(f"{LIBRARY} {version} requires other things than what is changed here")
    head, end, rest = metadata.partition("\n\n")
    kept = [replaced.get(line, line) for line in head.splitlines() if line not in dropped]
    told = [f"  {old!r} is now {new!r}" for old, new in replaced.items()]
    told += [f"  {line!r} is no more" for line in sorted(dropped)]
    return "\n".join(kept) + end + rest, told


def remake(wheel: Path, place: Path) -> Path:
    """Write the wheel of the library with other requirements, and beside it what was changed."""
    with zipfile.ZipFile(wheel) as old:
        files = {info.filename: (info, old.read(info)) for info in old.infolist()}
    (metadata_at,) = (name for name in files if name.endswith(".dist-info/METADATA"))
    info_before = metadata_at.partition("/")[0]
    metadata = files[metadata_at][1].decode()
    version = str(HeaderParser().parsestr(metadata)["Version"])
    text, told = changed(metadata, version)
    new_version = f"{version}+nodealer.{REMADE}"
    info_now = f"{LIBRARY}-{new_version}.dist-info"
    changes = "\n".join(
        [
            f"{LIBRARY} {new_version} was made from {wheel.name}",
            f"(sha256 {hashlib.sha256(wheel.read_bytes()).hexdigest()})",
            "by scripts/make_release.py of nodealer. It is not a release of its authors.",
            "",
            "In its METADATA:",
            *told,
            "",
            f"{info_before} is called {info_now}; its RECORD lists what is there now,",
            f"this text ({CHANGES}) included. Every other file is as it was, byte for byte.",
            "",
        ]
    )
    target = place / wheel.name.replace(f"-{version}-", f"-{new_version}-", 1)
    record = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as new:

        def put(info: zipfile.ZipInfo, name: str, data: bytes) -> None:
            now = zipfile.ZipInfo(name, info.date_time)
            now.external_attr, now.compress_type = info.external_attr, zipfile.ZIP_DEFLATED
            new.writestr(now, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}\n")

        for name, (info, data) in files.items():
            if name.endswith("/") or name == f"{info_before}/RECORD":
                continue
            now = name.replace(info_before, info_now, 1) if name.startswith(info_before) else name
            put(info, now, text.encode() if name == metadata_at else data)
        info = files[metadata_at][0]
        put(info, f"{info_now}/{CHANGES}", changes.encode())
        record.append(f"{info_now}/RECORD,,\n")
        listing = zipfile.ZipInfo(f"{info_now}/RECORD", info.date_time)
        listing.external_attr, listing.compress_type = info.external_attr, zipfile.ZIP_DEFLATED
        new.writestr(listing, "".join(record))
    (place / f"{LIBRARY}-{new_version}.changes.txt").write_text(changes, encoding="utf-8")
    return target


def build(place: Path, *, is_trial: bool) -> None:
    """Build everything into a directory, which is emptied first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    missing = list(unfilled(project))
    if missing and not is_trial:
        wanted = "fill this in before anybody gets it, or try it with --trial:"
        raise ReleaseError("\n".join([wanted, *missing]))
    place.mkdir(parents=True, exist_ok=True)
    for old in (*place.glob("nodealer-*"), *place.glob(f"{LIBRARY}-*")):
        old.unlink()
    hatchling = [sys.executable, "-m", "hatchling", "build", "-d", str(place.resolve())]
    subprocess.run(hatchling, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    lock = (ROOT / "requirements" / "net.lock").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as fetched:
        remake(fetch(LIBRARY, *locked(lock, LIBRARY), Path(fetched)), place)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="./scripts/release",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--to", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    parser.add_argument("--trial", action="store_true", help="build what nobody is to get")
    args = parser.parse_args(arguments)
    try:
        build(args.to, is_trial=args.trial)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"release: {error.cmd[:4]} has failed", file=sys.stderr)
        return 1
    for path in sorted(args.to.iterdir()):
        print(f"{path.stat().st_size / 1e6:7.2f} MB  {path.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
