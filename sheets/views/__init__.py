"""One thin function a page."""
