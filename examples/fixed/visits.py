"""How long people stay on a site: a pipeline of generators from the lines of a log to a report."""

from dataclasses import dataclass

LOG = """\
09:00 ann /
09:02 bob /
09:10 ann /lamps
# restarted
09:25 ann /lamps/7
09:31 bob /chairs
09:38 ann /cart
09:40 cid /robots.txt
09:41 ann /pay
10:02 bob /
10:30 ann /
broken line
10:41 dan /lamps
10:44 ann /orders
10:45 dan /lamps/7
"""
PAUSE = 20


@dataclass(frozen=True)
class Visit:
    """A page that a user looked at, with the minute of the day."""

    minute: int
    user: str
    path: str


def entries(text):
    """Go through the lines that are entries."""
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield line


def visits(lines):
    """Go through the visits; what cannot be read is left out."""
    for line in lines:
        words = line.split()
        if len(words) == 3 and ":" in words[0]:
            time, user, path = words
            yield Visit(minute_of(time), user, path)


def minute_of(time):
    hours, minutes = time.split(":")
    return int(hours) * 60 + int(minutes)


def by_people(seen):
    """Leave out the visits of robots."""
    for visit in seen:
        if visit.path != "/robots.txt":
            yield visit


def sessions(seen, pause):
    """Go through the sessions: visits of one user without a longer pause between two of them."""
    running = {}
    for visit in seen:
        current = running.get(visit.user, [])
        if current and visit.minute - current[-1].minute > pause:
            yield current
            current = []
        running[visit.user] = [*current, visit]
    for current in running.values():
        yield current


def durations(groups):
    """Go through the users with the minutes that their sessions took."""
    for group in groups:
        yield group[0].user, group[-1].minute - group[0].minute


def pipeline(text):
    return durations(sessions(by_people(visits(entries(text))), PAUSE))


def totals(pairs):
    """Return the number of sessions and the minutes of each user."""
    found = {}
    for user, minutes in pairs:
        count, total = found.get(user, (0, 0))
        found[user] = (count + 1, total + minutes)
    return found


def main():
    for user, (count, minutes) in sorted(totals(pipeline(LOG)).items()):
        print(f"{user}: {count} sessions, {minutes} minutes")


if __name__ == "__main__":
    main()
