"""Completion for zsh: a function for its completion system, which does the parsing (``_arguments``).

The script can be sourced after ``compinit``, or put as ``_wrongcall`` into a folder of ``$fpath``.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.cli.commands import Command, Kind, Option, Value

_SCRIPT = """\
#compdef wrongcall
# Completion of wrongcall for zsh, made by: wrongcall completion zsh

_wrongcall() {
    local curcontext=$curcontext state line ret=1
    typeset -A opt_args
    _arguments -C @LINE@ \\
        '1:command:->command' '*::argument:->argument' && ret=0
    case $state in
        command)
            local -a commands=(
@NAMES@
            )
            _describe -t commands command commands && ret=0
            ;;
        argument)
            curcontext=${curcontext%:*:*}:wrongcall-$words[1]:
            case $words[1] in
@COMMANDS@
            esac
            ;;
    esac
    return ret
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _wrongcall "$@"
else
    compdef _wrongcall wrongcall
fi
"""
_ACTIONS = {
    Kind.OTHER: " ",
    Kind.MODULE: " ",
    Kind.FILE: "_files",
    Kind.TRACE: '_files -g "*.wrongcall"',
    Kind.PROGRAM: '_files -g "*.py"',
}


def script(line: Command, commands: list[Command]) -> str:
    """Return the script."""
    tables = {
        "LINE": " ".join(map(_option, line.options)),
        "NAMES": "\n".join(f"                {_name(command)}" for command in commands),
        "COMMANDS": "\n".join(map(_case, commands)),
    }
    text = _SCRIPT
    for name, table in tables.items():
        text = text.replace(f"@{name}@", table)
    return text


def _name(command: Command) -> str:
    return _quoted(f"{command.name}:{command.help}")


def _case(command: Command) -> str:
    # What comes after a program is the program's.
    alone = "-A '-*' " if command.runs_program else ""
    specs = [*map(_option, command.options), *_arguments(command)]
    return "\n".join(
        [
            f"                {command.name})",
            f"                    _arguments {alone}\\",
            *(f"                        {spec} \\" for spec in specs),
            "                        && ret=0",
            "                    ;;",
        ]
    )


def _option(option: Option) -> str:
    """Return an option as ``_arguments`` wants it; a value can follow ``=`` or come next."""
    first = "*" if option.repeatable else _exclusions(option)
    rest = f"[{_escaped(option.help)}]"
    if option.value is None:
        return " ".join(_quoted(first + name + rest) for name in option.names)
    rest += f":{_escaped(option.value.name)}:{_action(option.value)}"
    return " ".join(_quoted(first + _joined(name) + rest) for name in option.names)


def _exclusions(option: Option) -> str:
    """Return what is not offered any more: the option itself; with a module, a program."""
    if option.value is not None and option.value.kind is Kind.MODULE:
        return "(1)"
    return f"({' '.join(option.names)})" if len(option.names) > 1 else ""


def _joined(name: str) -> str:
    return f"{name}=" if name.startswith("--") else f"{name}+"


def _arguments(command: Command) -> Iterator[str]:
    for place, argument in enumerate(command.arguments, 1):
        yield _quoted(f"{place}:{_escaped(argument.name)}:{_action(argument)}")
    if command.runs_program:
        yield _quoted("*:argument:_files")


def _action(value: Value) -> str:
    if value.kind is Kind.CHOICE:
        return f"({' '.join(value.choices)})"
    return _ACTIONS[value.kind]


def _escaped(text: str) -> str:
    for letter in "\\[]:":
        text = text.replace(letter, "\\" + letter)
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
