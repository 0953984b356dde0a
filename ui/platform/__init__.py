"""What differs from system to system: screens, cameras, speech."""
