"""Turns a small text into HTML."""

import markdown

TEXT = """
# Title

A *paragraph* with **strong** text, `code`, a [link](http://example.com "there") and a line
break.  

* one
* two
    1. inner
    2. list

> quoted
> text

| a | b |
| - | - |
| 1 | 2 |

    code block

Term
:   Definition[^1]

[^1]: A footnote.
"""
for extensions in ([], ["extra"], ["extra", "toc", "sane_lists"]):
    print(len(markdown.markdown(TEXT, extensions=extensions)))
