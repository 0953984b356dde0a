"""The app: its start, its window, and what connects pages with games."""
