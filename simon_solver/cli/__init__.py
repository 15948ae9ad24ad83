"""The command line: parse, call the library, show the answer. Only here is printed and exited."""
