"""Rank students: most points first, equal points by name."""


def sort_key(student):
    """Return what students are ordered by."""
    name, points = student
    return (-points, name)


def ranking(students):
    """Return lines of the ranking."""
    ordered = sorted(students, key=sort_key)
    return [f"{place}. {name} ({points})" for place, (name, points) in enumerate(ordered, 1)]


def main():
    for line in ranking([("Mia", 81), ("Ben", 64), ("Zoe", 97), ("Eva", 81)]):
        print(line)


main()
