"""How a selection answers to one parameter."""
