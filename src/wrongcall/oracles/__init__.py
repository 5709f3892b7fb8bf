"""Oracles, which answer before the user does: one module for each, behind `wrongcall.session.oracles`.

`memory` has the answers of earlier sessions, `contracts` what the source promises, `passing_tests` what tests confirmed
(`learning` finds that out), and `model` asks a language model. `chosen` makes the oracles that were asked for. What
they keep for a project is in its folder ``.wrongcall``; `answer_store` is the only module here that knows SQL.
"""
