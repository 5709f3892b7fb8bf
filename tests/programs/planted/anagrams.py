"""Group words made of the same letters."""


def signature(word):
    """Return what anagrams have in common."""
    return "".join(sorted(set(word.lower())))


def groups(words):
    """Return the groups of anagrams, each sorted, in the order of their first words."""
    by_letters = {}
    for word in words:
        by_letters.setdefault(signature(word), []).append(word)
    return [sorted(group) for group in by_letters.values()]


def main():
    print(groups(["Tea", "eat", "tattle", "ate", "teat", "late"]))


main()
