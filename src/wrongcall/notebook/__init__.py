"""The extension of IPython: ``%load_ext wrongcall``, ``%%wrongcall``.

``extension``   the magics
``cells``       compiles cells with hooks, and records one
``page``        the page of a trace, as a link
``streams``     what cells print, where a notebook has streams of its own
``asking``      the questions about a trace, as plain data
``widget``      shows them below the cell, with anywidget (``widget.js``)
"""
