"""Many deals: pieces of work, the processes that do them, the store of answers, and statistics.

Data flows one way: what a request asks for and the store lacks becomes pieces; `pieces.run_piece`,
wherever it runs, turns each into rows; the store keeps the rows; summaries are read from the store.
"""
