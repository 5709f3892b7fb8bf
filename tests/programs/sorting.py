"""Recursion over lists: merge sort, quicksort with a partition, binary search."""


def merge(left, right):
    result = []
    i = j = 0
    while i < len(left) and j < len(right):
        if less(left[i], right[j]):
            result.append(left[i])
            i += 1
        else:
            result.append(right[j])
            j += 1
    return result + left[i:] + right[j:]


def less(a, b):
    return a < b


def merge_sort(items):
    if len(items) < 2:
        return items
    middle = len(items) // 2
    return merge(merge_sort(items[:middle]), merge_sort(items[middle:]))


def partition(items, low, high):
    pivot = items[high]
    place = low
    for i in range(low, high):
        if less(items[i], pivot):
            items[i], items[place] = items[place], items[i]
            place += 1
    items[place], items[high] = items[high], items[place]
    return place


def quicksort(items, low, high):
    if low < high:
        place = partition(items, low, high)
        quicksort(items, low, place - 1)
        quicksort(items, place + 1, high)


def find(items, x, low=0, high=None):
    high = len(items) if high is None else high
    if low >= high:
        return None
    middle = (low + high) // 2
    if items[middle] == x:
        return middle
    if less(items[middle], x):
        return find(items, x, middle + 1, high)
    return find(items, x, low, middle)


numbers = [(i * 37) % 23 for i in range(20)]
in_order = merge_sort(numbers)
quicksort(numbers, 0, len(numbers) - 1)
assert numbers == in_order
print([find(in_order, x) for x in (0, 7, 22, 99)])
