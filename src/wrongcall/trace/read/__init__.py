"""Reading a trace: a snapshot of the file, its events, calls, values and sessions."""
