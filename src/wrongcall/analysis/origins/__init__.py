"""The whole origin of a value: everything it was computed from, and the conditions under which that was executed."""
