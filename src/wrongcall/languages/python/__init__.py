"""What Python source says: the only user of `ast` outside the recorder."""
