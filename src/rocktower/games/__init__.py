"""Pure rules of the games: no physics, no files, no drawing of random numbers."""
