"""One module for each command: it parses, calls the library, and shows the answer."""
