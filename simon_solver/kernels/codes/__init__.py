"""What a long list of game codes needs besides: dealing and replaying without Python objects."""
