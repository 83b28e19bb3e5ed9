"""MicroPython's littlefs (extmod/vfs_lfsx.c) on a flash that is a model, for programs that try it out."""

import os

import vfs
from flash import BLOCK, Flash, Memory, PowerLost, tear  # noqa: F401 - programs that mount a flash need these, too

MOUNT = "/flash"


def make(blocks: int) -> Memory:
    """The bytes of a flash with a fresh filesystem."""
    memory = Memory(blocks)
    vfs.VfsLfs2.mkfs(Flash(memory))
    return memory


def mount(flash: Flash, read: int) -> None:
    """Be on that flash; littlefs reads `read` bytes at once (32 on every board)."""
    vfs.mount(vfs.VfsLfs2(flash, readsize=read), MOUNT)
    os.chdir(MOUNT)


def unmount() -> None:
    """And leave it, as a cut does: what was not written is gone."""
    os.chdir("/")
    vfs.umount(MOUNT)
