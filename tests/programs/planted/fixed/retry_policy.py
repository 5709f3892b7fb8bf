"""Plan when something is tried again."""


def delays(first, limit):
    """Yield the pauses: doubled each time, never longer than the limit."""
    pause = first
    while True:
        yield pause
        pause = min(pause * 2, limit)


def schedule(first, limit, attempts):
    """Return the times of the attempts."""
    time, times = 0, []
    for _, pause in zip(range(attempts), delays(first, limit)):
        times.append(time)
        time += pause
    return times


def main():
    print(schedule(2, 3, 5))


main()
