"""What it costs in the end."""


def apply(total):
    return round(total * 0.9)
