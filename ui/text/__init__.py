"""Everything that is said to people, in their language."""
