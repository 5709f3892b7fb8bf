"""The questions in a terminal, or by pipe.

What is shown, as lines, is the business of `present.screens` and `words`. Who is interested in what here:
`paint` (lines as text, with colours or without), `keys` (what can be answered), `sources` (where
answers come from: keys of a terminal, lines of a pipe), `terminal` (where screens go to), `drawing`
(questions and findings as lines), `pages` (long screens, page by page), `dialogue` (the loop), `starts`
(where a search starts), `views` (the tree, the events of a call, a long text: to move in).
"""
