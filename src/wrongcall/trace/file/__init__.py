"""A trace among other files: opening it safely, locking it, making room for a new one."""
