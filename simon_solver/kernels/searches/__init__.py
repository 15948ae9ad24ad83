"""The engines: A*, macro, complete and loose search, and from their nodes back to moves."""
