"""Complete words from a dictionary."""


class Trie:
    """Words by their letters."""

    def __init__(self):
        self.below = {}
        self.ends = False

    def add(self, word):
        """Add a word."""
        node = self
        for letter in word:
            node = node.below.setdefault(letter, Trie())
        node.ends = True

    def words(self, prefix):
        """Yield the words below this node."""
        if self.ends:
            yield prefix
        for letter in sorted(self.below):
            yield from self.below[letter].words(prefix + letter)

    def completions(self, prefix):
        """Return the words that begin so."""
        node = self
        for letter in prefix:
            if letter not in node.below:
                return []
            node = node.below[letter]
        return list(node.words(prefix))


def suggest(words, prefix, most):
    """Return the first words that begin with a prefix."""
    trie = Trie()
    for word in words:
        trie.add(word)
    return trie.completions(prefix)[:most]


def main():
    print(suggest(["car", "cart", "cat", "dog"], "ca", 2))


main()
