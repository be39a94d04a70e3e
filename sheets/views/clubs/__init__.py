"""The pages of clubs, for their organisers: one thin function a page."""
