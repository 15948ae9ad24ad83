"""Many deals: pieces of work, the processes that do them, the store of answers, and statistics.

Data flows one way: a request and what the store lacks become pieces, `pieces.run_piece` makes rows
of each, wherever it runs, the store keeps the rows, and summaries are read from the store.
"""
