"""What several kinds of tests share: a fleet of seats around one deck."""
