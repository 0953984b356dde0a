"""Data sets in the formats of other programs: COCO, YOLO and Label Studio, each to write and to read."""
