"""Walking through a run: the lines of each thread in the order in which they ran, forwards and backwards."""
