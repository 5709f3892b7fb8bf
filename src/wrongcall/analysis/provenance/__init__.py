"""Where values came from: the trail of copies, and the tree of everything that a value was computed from."""
