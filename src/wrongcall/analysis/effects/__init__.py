"""What calls changed: differences between states, and which call made them."""
