"""The commands, one module each: it parses, calls the library, and shows the answer."""
