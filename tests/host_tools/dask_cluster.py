"""A scheduler of Dask with its workers, all within this process."""

from contextlib import contextmanager

LOOPBACK = "127.0.0.1:0"  # None, too, would have its HTTP server listen to every network, at 8787


@contextmanager
def dask_cluster(workers: int, threads: int = 1):
    """Yield the cluster, on loopback. The package takes half a second, so only who needs a cluster loads it."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=threads, processes=False, protocol="tcp",
                      host="127.0.0.1", dashboard_address=LOOPBACK) as cluster:
        assert cluster.scheduler.http_server.address == "127.0.0.1"
        yield cluster
