"""What expressions in the source meant in a call: their values, targets and arguments."""
