"""Sort numbers with a binary heap."""


def sift_down(heap, root, size):
    """Let the root sink until both of its children are smaller."""
    while True:
        largest = root
        left, right = 2 * root + 1, 2 * root + 2
        if left < size and heap[left] > heap[largest]:
            largest = left
        if right < size and heap[right] > heap[root]:
            largest = right
        if largest == root:
            return
        heap[root], heap[largest] = heap[largest], heap[root]
        root = largest


def heap_sort(numbers):
    """Return the numbers in ascending order."""
    heap = list(numbers)
    for root in reversed(range(len(heap) // 2)):
        sift_down(heap, root, len(heap))
    for end in range(len(heap) - 1, 0, -1):
        heap[0], heap[end] = heap[end], heap[0]
        sift_down(heap, 0, end)
    return heap


def main():
    print(heap_sort([7, 12, 3, 25, 8, 1, 19]))


main()
