"""Benchmarks: each figure beside its limit in the same run."""
