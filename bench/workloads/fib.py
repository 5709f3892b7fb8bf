"""Recursive Fibonacci: nothing but calls. Scale: the number n."""

import sys


def fib(n: int) -> int:
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def main() -> None:
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 33
    print(f"fib {n} {fib(n)}")


if __name__ == "__main__":
    main()
