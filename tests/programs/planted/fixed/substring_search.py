"""Find a word in a text: Knuth, Morris and Pratt."""


def failure_table(word):
    """Return how long the prefix is that ends at each letter."""
    table = [0] * len(word)
    length = 0
    for i in range(1, len(word)):
        while length and word[i] != word[length]:
            length = table[length - 1]
        if word[i] == word[length]:
            length += 1
        table[i] = length
    return table


def find_all(text, word):
    """Return where the word begins in the text."""
    table, found, length = failure_table(word), [], 0
    for i, letter in enumerate(text):
        while length and letter != word[length]:
            length = table[length - 1]
        if letter == word[length]:
            length += 1
        if length == len(word):
            found.append(i - length + 1)
            length = table[length - 1]
    return found


def main():
    found = find_all("aabaaabaaabaaac", "aabaaa")
    print(found[0], found[1], found)


main()
