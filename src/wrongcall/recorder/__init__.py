"""Runs inside the debugged process: rewrites the program's modules and hands events over.

Only the standard library and the native core are used here, and of the standard library only what every interpreter has
loaded before the program starts: a program may bring its own ``ast.py``.

``start``           the script that the interpreter runs; calls `boot`
``settings``        what the recorded process is told, as one argument
``hidden_import``   loads these modules from this folder, where the program does not see them
``boot``            the entry of the recorded process: sets everything up like ``python``, runs the program
``loader``          instruments the modules of the project when they are imported
``instrument``      one source file: rewrites and compiles it, and puts its hooks in place
``code_cache``      instrumented code of earlier runs
``statements``         statements -> statements with hooks
``statement_forms`` what the syntax of a statement says about it
``blocks``          the blocks of a function and how they follow each other
``expressions``     expressions -> expressions with hooks
``scopes``          which names are local, global, nonlocal; what inner functions use
``sites``           the tables that describe functions and places in the source
``trampoline``      calls of library functions deep in recursion, without C stack
``plain_code``      which plain code each instrumented code object stands for
``world``           the builtins as they were before the program began
``nodes``           building syntax trees
``_native``         the native core (see native/recorder.h)
"""
