"""Starts the bench of other engines, in the environment that `make bench-peers` has made."""

from host_tools.base import on_host

if __name__ == "__main__":
    on_host.prepare()
    from host_tools.lab.bench import peers

    peers.main()
