"""Fits a tower to recorded hits: simulated games, a network of one hit, a chain, a report."""
