"""Scripts that complete the command line, one module for each shell.

Each has ``script(line, commands)``: the text of the script, for the command line itself and its
commands. The scripts are static: completing runs no Python.
"""
