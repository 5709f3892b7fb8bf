"""Sort numbers by merging."""


def merge(left, right):
    """Merge two sorted lists into one."""
    merged = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] <= right[j]:
            merged.append(left[i])
            i += 1
        else:
            merged.append(right[j])
            j += 1
    return merged + left[i:] + right[j:]


def sort(numbers):
    """Return the numbers in ascending order."""
    if len(numbers) < 2:
        return numbers
    middle = len(numbers) // 2
    return merge(sort(numbers[:middle]), sort(numbers[middle:]))


def main():
    print(sort([5, 2, 8, 1, 9, 3]))


if __name__ == "__main__":
    main()
