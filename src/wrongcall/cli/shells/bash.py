"""Completion for bash.

The script goes through the words before the cursor to find out the command, how many arguments it has
and whether an option waits for its value; tables made from the parsers, one ``case`` each, say what is
expected there. ``--option=value`` arrives as three words, as ``=`` breaks words.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from wrongcall.cli.commands import Command, Kind, Value

_SCRIPT = """\
# Completion of wrongcall for bash, made by: wrongcall completion bash

# The options of a command.
_wrongcall_options() {
    case $1 in
@OPTIONS@
    esac
}

# What the value of an option is; nothing, if it has none.
_wrongcall_value() {
    case "$1 $2" in
@VALUES@
    esac
}

# What an argument is, given how many come before it.
_wrongcall_argument() {
    case "$1 $2" in
@ARGUMENTS@
    esac
}

_wrongcall_files() {
    local found
    compopt -o filenames 2>/dev/null
    while IFS= read -r found; do
        COMPREPLY+=("$found")
    done < <(compgen -d -- "$1"; compgen -f -X "!$2" -- "$1")
}

_wrongcall_words() {
    local found
    while IFS= read -r found; do
        COMPREPLY+=("$found")
    done < <(compgen -W "$2" -- "$1")
}

_wrongcall_offer() {
    case $2 in
        file) _wrongcall_files "$1" '*' ;;
        trace) _wrongcall_files "$1" '*.wrongcall' ;;
        program) _wrongcall_files "$1" '*.py' ;;
        choice\\ *) _wrongcall_words "$1" "${2#choice }" ;;
    esac
}

_wrongcall() {
    local current=${COMP_WORDS[COMP_CWORD]} command= expected= count=0 plain= over= word i
    COMPREPLY=()
    [[ $current == = ]] && current=
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if [[ $word == = ]]; then
            continue
        elif [[ -n $expected ]]; then
            [[ $expected == module ]] && over=1
            expected=
        elif [[ -n $over ]]; then
            continue
        elif [[ -z $plain && $word == -- ]]; then
            plain=1
        elif [[ -z $plain && $word == -* ]]; then
            expected=$(_wrongcall_value "$command" "$word")
        elif [[ -z $command ]]; then
            command=$word
        else
            [[ $(_wrongcall_argument "$command" "$count") == program ]] && over=1
            count=$((count + 1))
        fi
    done
    if [[ -n $over ]]; then
        _wrongcall_offer "$current" file
    elif [[ -n $expected ]]; then
        _wrongcall_offer "$current" "$expected"
    elif [[ -z $plain && $current == -* ]]; then
        _wrongcall_words "$current" "$(_wrongcall_options "$command")"
    elif [[ -z $command ]]; then
        _wrongcall_words "$current" @COMMANDS@
    else
        _wrongcall_offer "$current" "$(_wrongcall_argument "$command" "$count")"
    fi
}

complete -F _wrongcall wrongcall
"""


def script(line: Command, commands: list[Command]) -> str:
    """Return the script."""
    known = [line, *commands]
    tables = {
        "OPTIONS": "\n".join(map(_options, known)),
        "VALUES": "\n".join(row for command in known for row in _values(command)),
        "ARGUMENTS": "\n".join(row for command in known for row in _arguments(command)),
        "COMMANDS": shlex.quote(" ".join(command.name for command in commands)),
    }
    text = _SCRIPT
    for name, table in tables.items():
        text = text.replace(f"@{name}@", table)
    return text


def _options(command: Command) -> str:
    names = " ".join(name for option in command.options for name in option.names)
    return f"        {shlex.quote(command.name)}) echo {shlex.quote(names)} ;;"


def _values(command: Command) -> Iterator[str]:
    for option in command.options:
        if option.value is not None:
            patterns = "|".join(shlex.quote(f"{command.name} {name}") for name in option.names)
            yield f"        {patterns}) echo {shlex.quote(_word(option.value))} ;;"


def _arguments(command: Command) -> Iterator[str]:
    for place, argument in enumerate(command.arguments):
        pattern = shlex.quote(f"{command.name} {place}")
        yield f"        {pattern}) echo {shlex.quote(_word(argument))} ;;"


def _word(value: Value) -> str:
    choices = value.choices if value.kind is Kind.CHOICE else ()
    return " ".join([value.kind.value, *choices])
