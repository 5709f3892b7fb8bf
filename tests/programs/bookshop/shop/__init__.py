"""A shop."""


def normal(title):
    return title.lower()
