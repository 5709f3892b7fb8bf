"""Derive from a call's events which blocks, lines and branches of its function it went through."""
