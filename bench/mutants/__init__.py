"""Mutants of real projects, and an automatic user who searches them for their bugs."""
