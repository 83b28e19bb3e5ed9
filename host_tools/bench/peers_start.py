"""Starts the bench of peers in the environment that `make bench-peers` makes: `python -m host_tools.bench.peers_start`."""

from host_tools import on_host

if __name__ == "__main__":
    on_host.prepare()
    from host_tools.bench import peers

    peers.main()
