"""What a command says of itself."""

import importlib
import inspect
import re

import pytest

from reviewlib import cli

COMMANDS = {
    (name if group is cli.app else f"reviews {name}"): (place, sentence)
    for group, name, place, sentence in cli.COMMANDS
}


def test_help_lists_every_command_with_a_sentence(capsys):
    assert cli.run(["--help"]) == 0
    out = capsys.readouterr().out
    for command in {name.split()[0] for name in COMMANDS}:
        assert re.search(rf"│ {command}\s+[A-Z]", out), command


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_of_itself_what_the_list_says(command):
    place, sentence = COMMANDS[command]
    module, name = place.split(":")
    told = inspect.getdoc(getattr(importlib.import_module(f"reviewlib.cli.{module}"), name))
    assert " ".join(told.split("\n\n")[0].split()) == sentence


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_explained(capsys, command):
    assert cli.run([*command.split(), "--help"]) == 0
    out = capsys.readouterr().out
    options = set(re.findall(r"│[ *]+(?:[A-Z]+ )?(--[a-z-]+)", out))
    assert options
    for option in options:
        assert re.search(rf"{option}.*[a-z]{{3,}}.*│", out), option
    assert "-----" not in out


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_simply_not_there_is_no_default_that_is_told(capsys, command):
    assert cli.run([*command.split(), "--help"]) == 0
    out = capsys.readouterr().out
    assert {told.strip("│ \n") for told in re.findall(r"\[default:([^\]]*)\]", out)} <= {"text", "127.0.0.1"}
    assert set(re.findall(r"--(?:no|empty)-[a-z-]+", out)) <= {"--no-browser", "--no-rerun"}
