"""Completion for fish: a ``complete`` line for each option, argument and command.

The conditions ask one function which command there is so far and how many arguments it has.
"""

from __future__ import annotations

from collections.abc import Iterator

from wrongcall.cli.commands import Command, Kind, Option, Value

_SCRIPT = """\
# Completion of wrongcall for fish, made by: wrongcall completion fish

# The command, and how many arguments it has so far.
function __wrongcall_place
    set -l command
    set -l count 0
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if contains -- $word @VALUED@
            set skip 1
            test "$word" = -m; and set count (math $count + 1)
        else if not string match -q -- '-*' $word
            if test -z "$command"
                set command $word
            else
                set count (math $count + 1)
            end
        end
    end
    echo "$command $count"
end

# Is it there, as in 'show 0'? The command with any number of arguments is 'show .*'.
function __wrongcall_at
    string match -rq -- "^$argv[1]\\$" (__wrongcall_place)
end

complete -c wrongcall -f
@LINES@
"""


def script(line: Command, commands: list[Command]) -> str:
    """Return the script."""
    known = [line, *commands]
    valued = {name for c in known for o in c.options if o.value is not None for name in o.names}
    lines = [row for command in known for row in _lines(command)]
    lines += [_complete(" 0", f"-a {_quoted(c.name)}", c.help) for c in commands]
    text = _SCRIPT.replace("@VALUED@", " ".join(sorted(valued)))
    return text.replace("@LINES@", "\n".join(lines))


def _lines(command: Command) -> Iterator[str]:
    # What comes after a program is the program's.
    anywhere = (
        f"{command.name} 0" if command.runs_program or not command.name else f"{command.name} .*"
    )
    for option in command.options:
        yield _complete(anywhere, _option(option), option.help)
    for place, argument in enumerate(command.arguments):
        offered = _offered(argument)
        if offered:
            yield _complete(f"{command.name} {place}", offered, "")
    if command.runs_program:
        yield _complete(f"{command.name} [1-9].*", "-F", "")


def _complete(place: str, what: str, help: str) -> str:
    text = f" -d {_quoted(help)}" if help else ""
    return f"complete -c wrongcall -n {_quoted(f'__wrongcall_at {_quoted(place)}')} {what}{text}"


def _option(option: Option) -> str:
    names = " ".join(
        f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names
    )
    if option.value is None:
        return names
    return f"{names} -r {_offered(option.value)}".rstrip()


def _offered(value: Value) -> str:
    if value.kind is Kind.CHOICE:
        return f"-a {_quoted(' '.join(value.choices))}"
    if value.kind is Kind.TRACE:
        return "-a '(__fish_complete_suffix .wrongcall)'"
    if value.kind is Kind.PROGRAM:
        return "-a '(__fish_complete_suffix .py)'"
    return "-F" if value.kind is Kind.FILE else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
