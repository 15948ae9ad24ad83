"""What every kernel stands on: columns as integers, the tables of a start, moves, nodes, queue."""
