"""The terminal interface: one module per command, `main` picks it."""
