"""Sort a list in place: quicksort with the last element as the pivot."""


def partition(numbers, low, high):
    """Move what is smaller than the pivot to its left; return where the pivot is."""
    pivot = numbers[high]
    boundary = low
    for i in range(low, high):
        if numbers[i] < pivot:
            numbers[i], numbers[boundary] = numbers[boundary], numbers[i]
            boundary += 1
    numbers[boundary], numbers[high] = numbers[high], numbers[boundary]
    return boundary


def quicksort(numbers, low, high):
    """Sort the numbers from index low to high, both included."""
    if low >= high:
        return
    middle = partition(numbers, low, high)
    quicksort(numbers, low, middle - 1)
    quicksort(numbers, middle + 1, high)


def main():
    numbers = [33, 10, 55, 71, 29, 3]
    quicksort(numbers, 0, len(numbers) - 1)
    print(numbers)


main()
