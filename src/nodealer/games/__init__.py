"""The games: pure rules over open faces, and the interface that every game fills."""
