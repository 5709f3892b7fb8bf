"""Recording in a process that runs already: `wrongcall.install()` and ``with wrongcall.record(...)``.

``instrumenting``    instruments modules when they are imported; once per process
``recorded_block``   begins and ends a recording
``writer_link``      starts the process that writes the trace, and hears from it
``writer``           that process

Everything but ``writer`` runs in the user's process and uses the recorder and the standard library alone.
"""
