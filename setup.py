"""Lists the packages of a wheel: the importable ones, and copies of the folders that programs read as files.

A table is built from firmware/ as it lies in a clone, `cardtable rules` reads docs/rules/, and two commands play a
record by default. `host_tools/base/project.py` finds these copies. CARDTABLE_COMPILED names the folder of the compiled
engine that comes along (`make wheel`); the wheel is then for one kind of machine.
"""

import os

from setuptools import Distribution, find_namespace_packages, find_packages, setup

COMPILED = os.path.relpath(os.environ["CARDTABLE_COMPILED"]) if os.environ.get("CARDTABLE_COMPILED") else ""
FOR_DEVELOPERS = ("lab", "lab.*")  # of host_tools: measures, storms and cuts
COPIED = ("firmware", "boards", "docs/rules", "tests/records/durak")


def list_packages() -> dict[str, str]:
    """Each package with its folder."""
    found = {"cardtable": "firmware/cardtable", "host_tools": "host_tools", "boards": "boards"}
    for name, folder in list(found.items()):
        parts = find_packages(folder, exclude=FOR_DEVELOPERS)
        found.update({f"{name}.{part}": f"{folder}/{part.replace('.', '/')}" for part in parts})
    for folder in COPIED:
        name = "cardtable_project." + folder.replace("/", ".")
        inner = find_namespace_packages(folder)
        found.update({name: folder, **{f"{name}.{part}": f"{folder}/{part.replace('.', '/')}" for part in inner}})
    if COMPILED:
        found["cardtable_project.fast"] = COMPILED
    return {name: folder for name, folder in found.items() if "__pycache__" not in name}


class ForOneMachine(Distribution):
    """What is compiled is no wheel for every machine."""

    def has_ext_modules(self) -> bool:
        return bool(COMPILED)


PACKAGES = list_packages()

if __name__ == "__main__":
    setup(packages=sorted(PACKAGES), package_dir=PACKAGES, distclass=ForOneMachine)
