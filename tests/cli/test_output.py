"""How data and messages are written."""

from __future__ import annotations

import pytest

from nodealer.cli.output import complain, emit_json, emit_table


def test_json_is_one_line_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    emit_json({"m_us": 21.5, "seats": [0, 1], "name": "Zoë"})
    assert capsys.readouterr() == ('{"m_us": 21.5, "seats": [0, 1], "name": "Zo\\u00eb"}\n', "")


def test_json_has_no_numbers_that_json_does_not_know() -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        emit_json({"m_us": float("nan")})


def test_a_table_aligns_names_left_and_numbers_right(capsys: pytest.CaptureFixture[str]) -> None:
    emit_table([["step", "m"], ["shuffle", "9.5"], ["mask", "104.0"]])
    assert capsys.readouterr().out == "step         m\nshuffle    9.5\nmask     104.0\n"


def test_messages_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    complain("what", "what to do")
    assert capsys.readouterr() == ("", "nodealer: what\nnodealer: what to do\n")


def test_what_others_have_written_moves_no_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    complain("there is no game \x1b]0;yours\x07\x1b[2J\nnodealer: all is well \u202e")
    shown = "nodealer: there is no game ?]0;yours??[2J?nodealer: all is well ?\n"
    assert capsys.readouterr().err == shown
