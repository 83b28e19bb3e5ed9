"""Tables on the network: sealed records travel to a tournament's director, and each counts once (docs/network.md)."""
