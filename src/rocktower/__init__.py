"""Rock Tower: a physics-based simulator of the struck tower of the board game Trollfjord."""

__all__: list[str] = []
