"""The page: a server on this machine that shows a trace and runs a session in the browser.

`desk` has the trace and the search about it, and is used by one thread of `worker`'s (`chains` is a
process beside it); a `glance` at its tree, shaded by what is known (`shading`), is for another one.
`rows` (the visible part of the tree), `listing`, `seeking` (calls by their values), `icicle` (the whole
run as a picture), `calls` (one call and what can be asked about it), `steps` (questions and findings)
and `report` turn what is there into the JSON of docs/reference/api.md. `api` has the requests, `guard` turns
away who has no business here, `assets` has the files of the page, `app` joins them, `server` serves.

The sources of the page are in ``web/`` at the root of the project; ``make web`` builds them into the
folder ``page`` beside this file.
"""
