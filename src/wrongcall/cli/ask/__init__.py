"""Questions in a terminal, or through a pipe.

What the screens show is decided in `present.screens`; the keys are in `present.key_map`. Here are
`terminal` (where screens are written to), `input` and `keyboard` (where answers come from), `prompt` (one command
at a time), `dialogue` (the loop), `drawing` (questions and findings as lines), `messages` (help and the like),
`inspect` (commands that only show something), `wrong_part` (picking a part), `pages` (long screens), ``views`` (to
move in), and the command line's `options` and `start_options`.
"""
