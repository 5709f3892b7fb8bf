"""The steps of a call, in display order."""
