"""Rendered pictures to train with: tile faces, tables, light and cameras."""
