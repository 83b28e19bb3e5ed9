"""Reads the rulebook: the rules on its pages, the texts they come from, and the tests that prove them."""
