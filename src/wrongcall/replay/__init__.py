"""States at any time: objects, variables, places and their histories, replayed from events."""
