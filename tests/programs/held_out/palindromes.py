"""Find the longest palindrome in a text."""


def widest(text, left, right):
    """Return the longest palindrome around a middle."""
    while left >= 0 and right < len(text) and text[left] == text[right]:
        left -= 1
        right += 1
    return text[left + 1 : right - 1]


def longest(text):
    """Return the longest palindrome in a text, the first one of several."""
    best = ""
    for middle in range(len(text)):
        for found in (widest(text, middle, middle), widest(text, middle, middle + 1)):
            if len(found) > len(best):
                best = found
    return best


def main():
    print(longest("the racecar noon"))


main()
