"""Look up the pages on which words are."""


def build(pages):
    """Return the pages of each word."""
    words = {word for text in pages for word in text.split()}
    index = dict.fromkeys(words, [])
    for number, text in enumerate(pages, 1):
        for word in text.split():
            if number not in index[word]:
                index[word].append(number)
    return index


def lookup(pages, words):
    """Return the pages on which all of the words are."""
    index = build(pages)
    found = set(range(1, len(pages) + 1))
    for word in words:
        found &= set(index.get(word, ()))
    return sorted(found)


def main():
    print(lookup(["red fox", "blue fox", "red hen"], ["red", "fox"]))


main()
