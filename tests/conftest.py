"""What all tests share."""

from __future__ import annotations

from hypothesis import settings

# Slow machines and sanitized builds are no reason to fail.
settings.register_profile("wrongcall", deadline=None)
settings.load_profile("wrongcall")
