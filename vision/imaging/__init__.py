"""Single pictures: opening them, their metadata, geometry, crops, and how good they are."""
