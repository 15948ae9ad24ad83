"""Texts and files, with no knowledge of cards: lines, places, JSON, XML, input, output."""
