"""What is shipped: the library with other requirements and nothing else changed, or nothing."""

from __future__ import annotations

import base64
import csv
import hashlib
import tomllib
import zipfile
from importlib.metadata import distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import parse_wheel_filename

from scripts import make_release
from scripts.make_release import ReleaseError, build, changed, fetch, locked, remake, unfilled
from tests.tidy.project import ROOT

VERSION = version("libp2p")
METADATA = distribution("libp2p").read_text("METADATA") or ""


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """Make a small wheel with the library's own metadata."""
    file = tmp_path / f"libp2p-{VERSION}-py3-none-any.whl"
    info = f"libp2p-{VERSION}.dist-info"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("libp2p/", b"")
        archive.writestr("libp2p/__init__.py", b"# a sign that is not ASCII: \xc3\xa9\n")
        archive.writestr(f"{info}/METADATA", METADATA.encode())
        archive.writestr(f"{info}/WHEEL", b"Wheel-Version: 1.0\n")
        archive.writestr(f"{info}/licenses/LICENSE-MIT", b"whatever it says\n")
        archive.writestr(f"{info}/RECORD", b"libp2p/__init__.py,sha256=old,3\n")
    return file


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}


def requirements(metadata: str) -> dict[str, Requirement]:
    lines = (line for line in metadata.partition("\n\n")[0].splitlines())
    wanted = (Requirement(line[15:]) for line in lines if line.startswith("Requires-Dist: "))
    return {one.name: one for one in wanted}


def test_the_library_is_made_anew_with_other_requirements(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "dist"
    place.mkdir()
    made = remake(wheel, place)
    name, made_version, _, tags = parse_wheel_filename(made.name)
    assert (name, str(made_version)) == ("libp2p", f"{VERSION}+nodealer.1")
    assert {str(tag) for tag in tags} == {"py3-none-any"}
    before = requirements(METADATA)
    metadata = contents(made)[f"libp2p-{made_version}.dist-info/METADATA"].decode()
    after = requirements(metadata)
    assert before.keys() - after.keys() == set(make_release.DROPPED)
    assert {name for name in after if str(after[name]) != str(before[name])} == {"fastecdsa"}
    assert after["fastecdsa"].specifier.contains("4.0.0")
    assert after["fastecdsa"].specifier.contains("2.3.2")
    assert f"\nVersion: {made_version}\n" in metadata
    assert metadata.partition("\n\n")[2] == METADATA.partition("\n\n")[2]


def test_every_other_file_is_as_it_was_and_every_file_is_in_the_record(
    wheel: Path, tmp_path: Path
) -> None:
    place = tmp_path / "dist"
    place.mkdir()
    made = contents(remake(wheel, place))
    info = next(name.partition("/")[0] for name in made if name.endswith("/METADATA"))
    old = {
        name.replace(f"libp2p-{VERSION}.dist-info", info): it
        for name, it in contents(wheel).items()
    }
    own = {f"{info}/METADATA", f"{info}/RECORD"}
    assert {name: made[name] for name in old.keys() - own} == {n: old[n] for n in old.keys() - own}
    (told,) = place.glob("*.changes.txt")
    assert made.keys() - old.keys() == {f"{info}/{make_release.CHANGES}"}
    assert made[f"{info}/{make_release.CHANGES}"] == told.read_bytes()
    rows = list(csv.reader(made[f"{info}/RECORD"].decode().splitlines()))
    assert {row[0] for row in rows} == made.keys()
    for name, digest, size in rows:
        if name != f"{info}/RECORD":
            sha = base64.urlsafe_b64encode(hashlib.sha256(made[name]).digest()).decode()
            assert (digest, int(size)) == (f"sha256={sha.rstrip('=')}", len(made[name]))


def test_what_was_changed_is_told_line_for_line(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "dist"
    place.mkdir()
    remake(wheel, place)
    told = next(place.glob("*.changes.txt")).read_text(encoding="utf-8")
    assert hashlib.sha256(wheel.read_bytes()).hexdigest() in told
    for word in (*make_release.DROPPED, make_release.PINNED, make_release.WIDENED):
        assert word in told
    assert told.count("is no more") == len(make_release.DROPPED)


def test_the_same_wheel_is_made_of_the_same_one(wheel: Path, tmp_path: Path) -> None:
    places = [tmp_path / name for name in ("one", "other")]
    for place in places:
        place.mkdir()
    one, other = (remake(wheel, place).read_bytes() for place in places)
    assert one == other


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Requires-Dist: fastecdsa==2.3.2", "Requires-Dist: fastecdsa>=2.3.2"),
        ("Requires-Dist: rpcudp>=3.0.0\n", ""),
    ],
)
def test_a_library_that_requires_other_things_is_not_touched(old: str, new: str) -> None:
    assert old in METADATA
    with pytest.raises(ReleaseError, match="requires other things"):
        changed(METADATA.replace(old, new), VERSION)


def test_the_lock_says_which_wheel_it_is() -> None:
    lock = (ROOT / "requirements" / "net.lock").read_text(encoding="utf-8")
    named, hashes = locked(lock, "libp2p")
    assert named == VERSION
    assert hashes
    assert all(f"sha256:{one}" in lock for one in hashes)
    with pytest.raises(ReleaseError, match="does not name"):
        locked(lock, "no-such-package")


def test_another_wheel_than_the_locked_one_is_refused(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    place = tmp_path / "fetched"
    place.mkdir()
    with pytest.raises(ReleaseError, match="the wheel of libp2p that the lock names"):
        fetch("libp2p", VERSION, frozenset({"00" * 32}), place)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    assert fetch("libp2p", VERSION, frozenset({digest}), place).name == wheel.name


def test_placeholders_are_found() -> None:
    filled = {
        "authors": [{"name": "Somebody"}],
        "urls": {"Homepage": "https://example.org/", "Issues": "https://example.org/issues"},
    }
    assert not list(unfilled(filled))
    assert list(unfilled({**filled, "urls": {"Issues": "https://nodealer.invalid/issues"}}))
    assert list(unfilled({**filled, "authors": [{"name": "to be filled in"}]}))
    assert len(list(unfilled({}))) == 2


def test_nothing_is_shipped_while_they_stand_there(tmp_path: Path) -> None:
    """Once they are filled in, this test has done its work."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert list(unfilled(project))
    with pytest.raises(ReleaseError, match=r"project\.authors(.|\n)*project\.urls"):
        build(tmp_path / "dist", is_trial=False)
    assert not (tmp_path / "dist").exists()
