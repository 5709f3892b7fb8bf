"""Which blocks, lines and branches of a function a call went through, worked out from its events."""
