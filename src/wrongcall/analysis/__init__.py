"""Conclusions from states and source: inputs, effects, steps, coverage, origins, question keys."""
