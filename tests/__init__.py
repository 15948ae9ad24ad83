"""Tests of simon_solver; one file per module."""
