"""What happened inside one call: executions of its loops, rounds, branches and statements."""
