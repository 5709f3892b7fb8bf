"""A package whose functions are checked when they are called."""
