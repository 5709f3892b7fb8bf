"""Events in a heap, callbacks bound to objects, comparison methods called by C."""

import heapq
import re
from collections import Counter, defaultdict, namedtuple

Step = namedtuple("Step", "time name")


class Event:
    def __init__(self, time, action, *args):
        self.time = time
        self.action = action
        self.args = args

    def __lt__(self, other):
        return self.time < other.time

    def __repr__(self):
        return f"Event({self.time})"


class World:
    def __init__(self):
        self.queue = []
        self.now = 0
        self.history = []
        self.visits = defaultdict(self.no_visits)

    def no_visits(self):
        return 0

    def at(self, delay, action, *args):
        heapq.heappush(self.queue, Event(self.now + delay, action, *args))

    def run(self):
        while self.queue:
            event = heapq.heappop(self.queue)
            self.now = event.time
            event.action(*event.args)

    def note(self, name):
        self.history.append(Step(self.now, name))
        self.visits[name] += 1


class Walker:
    def __init__(self, world, name, pace):
        self.world = world
        self.name = name
        self.pace = pace

    def __call__(self, steps):
        self.world.note(self.name)
        if steps > 1:
            self.world.at(self.pace, self, steps - 1)


def initial(match):
    return match.group(0).upper()


def capitalised(text):
    return re.sub(r"\b\w", initial, text)


world = World()
for name, pace in (("ann", 2), ("bob", 3)):
    world.at(pace, Walker(world, name, pace), 4)
world.at(5, lambda: world.note("alarm"))
world.run()
print(capitalised(" ".join(step.name for step in world.history)), dict(world.visits))
print(Counter(map(capitalised, ["a b", "A b", "c"])).most_common(1))
print(sorted([Event(3, print), Event(1, print), Event(2, print)]))
