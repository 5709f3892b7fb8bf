"""Merge sort that makes new lists; from Java.

Appendix A of the paper "Balancing Execution Trees".
"""


class MergeSort:
    """Sorts."""

    def order_merge(self, numbers):
        """Return the numbers in ascending order."""
        size = len(numbers)
        if size > 1:
            half = (size + 1) // 2
            left = [0] * half
            right = [0] * (size - half)
            for i in range(half):
                left[i] = numbers[i]
            for i in range(half, size):
                right[i - half] = numbers[i]
            numbers = self.merge(self.order_merge(left), self.order_merge(right))
        return numbers

    def merge(self, left, right):
        """Return the numbers of two sorted lists in one."""
        merged = [0] * (len(left) + len(right))
        i = 0
        while len(left) != 0 and len(right) != 0:
            if left[0] < right[0]:
                merged[i] = left[0]
                i += 1
                left = self.delete(left)
                if len(left) == 0:
                    while len(right) != 0:
                        merged[i] = right[0]
                        i += 1
                        right = self.delete(right)
            else:
                merged[i] = right[0]
                i += 1
                right = self.delete(right)
                if len(right) == 0:
                    while len(left) != 0:
                        merged[i] = left[0]
                        i += 1
                        left = self.delete(left)
        return merged

    def delete(self, numbers):
        """Return all but the first of the numbers."""
        rest = [0] * (len(numbers) - 1)
        for i in range(1, len(numbers)):
            rest[i - 1] = numbers[i]
        return rest


def main():
    sorter = MergeSort()
    for number in sorter.order_merge([3, 1, 2]):
        print(number)


if __name__ == "__main__":
    main()
