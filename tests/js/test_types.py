"""The types that stand in the comments of the page's scripts hold: tsc finds no mistake.

Nothing is compiled; the page is served as it is written. What a test page of ours imports as
`./NAME.js` lies in the site.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.js.installed import PLACE, node_with_packages
from tests.tidy.project import ROOT

SITE = ROOT / "src" / "nodealer" / "page" / "site"
TEST_PAGES = (
    ROOT / "tests" / "page" / "cards" / "site",
    ROOT / "tests" / "page" / "plain_site",
)

OPTIONS = {
    "allowJs": True,
    "checkJs": True,
    "noEmit": True,
    "strict": True,
    "noImplicitReturns": True,
    "noUnusedLocals": True,
    "target": "es2022",
    "module": "es2022",
    "moduleResolution": "bundler",
    "lib": ["es2022", "es2022.intl", "dom", "dom.iterable"],
    "types": [],
}


def complaints(place: Path, *folders: Path) -> str:
    """Return what tsc says of the scripts in these folders, which import each other as one."""
    node = node_with_packages()
    project = place / "tsconfig.json"
    options = {**OPTIONS, "rootDirs": [str(folder) for folder in folders]}
    include = [f"{folder}/**/*.js" for folder in folders]
    project.write_text(json.dumps({"compilerOptions": options, "include": include}))
    tsc = PLACE / "node_modules" / "typescript" / "bin" / "tsc"
    command: list[Path | str] = [node, tsc, "-p", project]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    return done.stdout + done.stderr


def test_the_types_in_the_comments_hold(tmp_path: Path) -> None:
    assert complaints(tmp_path, SITE, *TEST_PAGES) == ""


def test_every_script_asks_for_its_types_to_be_checked() -> None:
    scripts = [path for folder in (SITE, *TEST_PAGES) for path in folder.rglob("*.js")]
    assert scripts
    assert not [path for path in scripts if not path.read_text().startswith("// @ts-check\n")]


def test_a_mistake_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mistaken.js").write_text("// @ts-check\nexport const one = 1 .trim();\n")
    assert "trim" in complaints(tmp_path, tmp_path / "site")
