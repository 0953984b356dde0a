"""The parts of the page on which a data set is reviewed."""
