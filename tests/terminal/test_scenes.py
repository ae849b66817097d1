"""The moments that matter look as they did when somebody last read them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.terminal.scenes import FOLDER, SCENES, framed, golden


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_scene_is_what_its_file_shows(scene: Callable[[], str]) -> None:
    assert framed(scene) == golden(scene).read_text(encoding="utf-8")


def test_every_file_has_its_scene() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {golden(one).name for one in SCENES}
