"""Find prime numbers."""


def primes(limit):
    """Return the primes below a limit."""
    is_prime = [True] * limit
    is_prime[0:2] = [False, False]
    for number in range(2, int(limit**0.5) + 1):
        if is_prime[number]:
            for multiple in range(number * number, limit, number):
                is_prime[multiple] = False
    return [number for number, prime in enumerate(is_prime) if prime]


def main():
    print(primes(30))


main()
