"""Takes the power away from a game at every operation of its flash, and looks what stands when it comes back."""
