"""What calls changed: differences between states, and who made them."""
