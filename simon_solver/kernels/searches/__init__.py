"""The engines: A*, macro, complete and loose search, and the way from nodes back to moves."""
