"""Python source: the only user of `ast` outside the recorder."""
