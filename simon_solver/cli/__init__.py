"""The command line: parses, calls the library, shows the answer. Only this folder prints."""
