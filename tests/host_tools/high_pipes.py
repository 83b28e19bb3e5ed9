"""Pipes whose numbers lie above 1023, as those that a server makes once a thousand visitors are there."""

import fcntl
import os
import resource
from unittest import mock

HIGH = 1500


def make_pipe(real=os.pipe):
    """As os.pipe."""
    ends = []
    for low in real():
        ends.append(fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, HIGH))
        os.close(low)
    return tuple(ends)


def all_pipes_are_high():
    """Every pipe that this process makes within this context."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < 2 * HIGH:  # as the server itself raises it
        resource.setrlimit(resource.RLIMIT_NOFILE, (2 * HIGH, hard))
    return mock.patch("os.pipe", make_pipe)
