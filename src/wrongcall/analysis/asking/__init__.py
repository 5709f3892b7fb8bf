"""Answer expressions that a person asks about a recording: at a time, or at every execution of a line."""
