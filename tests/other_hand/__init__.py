"""Pictures of tile sets that no shipped model has seen: other faces, other camera, other light.

`python -m tests.other_hand OUT_DIR` writes them. Nothing here uses the renderer that the
models were trained with.
"""
