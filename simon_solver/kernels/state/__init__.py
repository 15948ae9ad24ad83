"""What every kernel builds on: columns as integers, the tables of a start, moves, nodes, queue."""
