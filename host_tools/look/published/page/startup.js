// What Python does first, in the page's worker as in first.mjs, which finds out what a first game needs.

export const FILES = "/program"; // the program's own

export const STARTUP = `
import importlib, importlib.machinery, sys, zlib
sys.path[:0] = ["${FILES}", "${FILES}/firmware"]
sys.path.append("${FILES}/library")

class Later:
    """Brings what follows, where something of it is wanted before it has come, and finds those of its modules that
    belong to a package of which others came first."""
    with open("${FILES}/later.txt") as file:
        names = set(file.read().split())
    has_come = False

    def find_spec(self, name, path=None, target=None):
        if name not in self.names:
            return None
        if not Later.has_come:
            bring_later(lambda packed: zlib.decompress(packed.to_bytes(), 31))
        if path is not None:
            path = [*path, "${FILES}/library/" + "/".join(name.split(".")[:-1])]
        return importlib.machinery.PathFinder.find_spec(name, path, target)

sys.meta_path.append(Later())
from host_tools.base import on_host
on_host.prepare()
from host_tools.virtual.stepped import speak_linux
speak_linux()
from host_tools.look.published.worker import Games, Worker
`;
