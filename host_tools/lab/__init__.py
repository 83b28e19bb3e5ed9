"""Measures, storms and cuts: for developers alone, and not in the wheel."""
