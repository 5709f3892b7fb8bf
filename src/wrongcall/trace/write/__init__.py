"""Writing a trace: from the ring in shared memory to the file."""
