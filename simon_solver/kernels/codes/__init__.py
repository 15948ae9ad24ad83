"""What long lists of game codes need: dealing and replaying without Python objects."""
