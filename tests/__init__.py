"""The tests; a package, so that helpers can be imported as `tests.…` wherever a test lives."""
