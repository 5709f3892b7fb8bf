"""What calls covered: control-flow edges and def-use chains."""
