"""Find the way out of a maze."""

from collections import deque


def ways(maze, row, column):
    """Yield the free places beside a place."""
    for down, right in ((0, 1), (1, 0), (0, -1)):
        y, x = row + down, column + right
        if 0 <= y < len(maze) and 0 <= x < len(maze[0]) and maze[y][x] != "#":
            yield y, x


def shortest(maze, start, goal):
    """Return the number of steps from the start to the goal; None if there is no way."""
    steps = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if place == goal:
            return steps[place]
        for following in ways(maze, *place):
            if following not in steps:
                steps[following] = steps[place] + 1
                queue.append(following)
    return None


def main():
    maze = ["..#.", "#...", "..#.", "#..."]
    print(shortest(maze, (0, 0), (0, 3)))


main()
