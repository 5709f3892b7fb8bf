"""The page: a server on this machine that shows a trace and runs a session in the browser.

What is sent
    `contract` describes all JSON between server and page, `wire` encodes it. ``web/src/api.ts`` is
    generated from the contract.
What is known
    `workspace` has the trace and its session; one thread of `worker` uses it. `tree_snapshot` is the
    tree with the `node_status` of its nodes at one version, which other threads may read.
    `balance_worker` finds groups of calls in a process of its own.
Answers
    `session_json` (questions, findings), `call_json` (one call and its inside), `tree_rows` on an
    `outline` (the visible rows of the tree), `value_search`, `icicle` (the run as a picture);
    `quiet_bodies` are folded in both.
Serving
    `api` has the requests, `request_fields` checks their fields, `guard` rejects foreign requests,
    `assets` has the page's files, `app` joins them, `server` serves.

The sources of the page are in ``web/`` at the root of the project; ``make web`` builds them into the
folder ``page`` beside this file.
"""
