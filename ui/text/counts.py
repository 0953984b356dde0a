"""Things with their number, to stand in a sentence: `say(TILES, count=2)`."""

from __future__ import annotations

from ui.text.catalogue import Plural

ANNOUNCEMENTS = Plural("{count} announcement", "{count} announcements")
ENTRIES = Plural("{count} entry", "{count} entries")
LABELS = Plural("{count} label", "{count} labels")
PHOTOS = Plural("{count} photo", "{count} photos")
PICTURES = Plural("{count} picture", "{count} pictures")
PLAYERS = Plural("{count} player", "{count} players")
TILES = Plural("{count} tile", "{count} tiles")
TURNS = Plural("{count} turn", "{count} turns")
