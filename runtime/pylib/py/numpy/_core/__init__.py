"""Where pickles of arrays look."""
