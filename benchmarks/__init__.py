"""Measurements that print tables. They assert nothing, and the package does not import them."""
