"""1,000 threads are started and end, eight at a time."""

import threading

lock = threading.Lock()
results = {}
local = threading.local()


class Worker(threading.Thread):
    def __init__(self, number):
        super().__init__()
        self.number = number

    def run(self):
        local.steps = []
        for i in range(20):
            local.steps.append(self.number * i)
        with lock:
            results[self.number] = sum(local.steps)


for first in range(0, 1000, 8):
    workers = [Worker(number) for number in range(first, min(first + 8, 1000))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
print(len(results), sum(results.values()), threading.active_count())
print(all(results[n] == n * 190 for n in range(1000)))
