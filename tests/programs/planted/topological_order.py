"""Put tasks into an order in which each comes after those it needs."""


def order(needs):
    """Return the tasks in a possible order."""
    pending = {task: len(required) for task, required in needs.items()}
    ready = sorted(task for task, count in pending.items() if count == 0)
    done = []
    while ready:
        task = ready.pop(0)
        done.append(task)
        for other in sorted(needs):
            if task in needs[other]:
                pending[other] = 0
                if pending[other] == 0 and other not in ready:
                    ready.append(other)
    return done


def main():
    needs = {
        "wash": [],
        "cut": ["wash"],
        "boil": [],
        "mix": ["cut", "boil"],
        "serve": ["mix"],
    }
    tasks = order(needs)
    print(tasks[:5])


main()
