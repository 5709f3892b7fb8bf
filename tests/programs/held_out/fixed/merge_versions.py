"""Merge lists of packages."""


def parsed(version):
    """Return a version as numbers."""
    return [int(part) for part in version.split(".")]


def merged(one, other):
    """Return both tables together, with the newer version of each package."""
    found = dict(one)
    for name, version in other.items():
        known = found.get(name)
        if known is None or parsed(version) > parsed(known):
            found[name] = version
    return found


def newest(tables):
    """Return the newest version of each package in several tables."""
    found = {}
    for table in tables:
        found = merged(found, table)
    return found


def main():
    print(newest([{"core": "1.10", "web": "2.0"}, {"core": "1.9", "cli": "0.3"}, {"web": "2.1"}]))


main()
