"""What expressions of the source meant in a call: their values, targets and arguments."""
