"""Texts and files, without any knowledge of cards: lines, places, JSON, XML, input, output."""
