"""Merge sort on one array: the program of the JHyde paper (section 4, Listing 1), from Java.

It sorts arrays whose length is a power of two. README.md tells what it prints, and
docs/guide/walkthrough.md looks for its defect.
"""


def merge(a, la, ra, b, lb, rb, c, lc):
    while la < ra and lb < rb:
        if a[la] < b[lb]:
            c[lc] = a[la]
            la += 1
        else:
            c[lc] = b[lb]
            lb += 1
        lc += 1
    while la < ra:
        c[lb] = a[la]
        la, lb = la + 1, lb + 1
    while lb < rb:
        c[lc] = b[lb]
        lb, lc = lb + 1, lc + 1


def distribute(a, b, c, size):
    i = 0
    for j in range(0, len(a), 2 * size):
        for k in range(j // 2, j // 2 + size):
            b[k] = a[i]
            i += 1
        for k in range(j // 2, j // 2 + size):
            c[k] = a[i]
            i += 1


def sort(a):
    b = [0] * len(a)
    c = [0] * len(a)
    size = 1
    while size < len(a):
        distribute(a, b, c, size)
        for i in range(0, len(a) // 2, size):
            merge(b, i, i + size, c, i, i + size, a, 2 * i)
        size *= 2


def main():
    a = [4, 9, 1, 7]
    sort(a)
    print(a)


if __name__ == "__main__":
    main()
