"""Turns results into text, JSON, CSV, pages and plots. Nothing here prints."""
