"""The Debug Adapter Protocol: walk through a recorded run in an editor, forwards and backwards.

`framing` reads and writes messages, `arguments` checks what a client sends, `debuggee` is the recorded run (recorded
by `launching`, if a program is given), `motion` moves through it, `breakpoints` says where it pauses, `inspection`
shows stacks, variables and source, `questions` is the search for the wrong call. `adapter` has one method for each
request, and `server` connects it to standard input and output or to a port. docs/guide/editors.md describes the
set-up of editors.

Nothing in here draws conclusions: stops, states and answers come from `wrongcall.recording`, texts from
`wrongcall.present`.
"""
