"""``wrongcall completion``: prints a script that lets a shell complete the command line."""

from __future__ import annotations

import argparse

from wrongcall.cli.commands import described
from wrongcall.cli.parser import parser_of
from wrongcall.cli.shells import bash, fish, zsh

SHELLS = {"bash": bash.script, "zsh": zsh.script, "fish": fish.script}
EPILOG = """\
bash, in ~/.bashrc:      source <(wrongcall completion bash)
zsh, in ~/.zshrc:        source <(wrongcall completion zsh)     (after compinit)
fish:                    wrongcall completion fish > ~/.config/fish/completions/wrongcall.fish
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command to argparse."""
    parser = commands.add_parser(
        "completion",
        help="print a script that completes commands and options in a shell",
        description="Prints a script that completes commands, options and files in a shell.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    print(SHELLS[args.shell](*described(parser_of())), end="")
    return 0
