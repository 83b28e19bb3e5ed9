"""Lists the packages of a wheel: the importable ones, and copies of the folders that programs read as files.

A table is built from firmware/ as it lies in a clone, `cardtable rules` reads docs/rules/, and two commands play a
record by default. `host_tools/project.py` finds these copies.
"""

from setuptools import find_namespace_packages, find_packages, setup

COPIED = ("firmware", "boards", "docs/rules", "tests/records/durak")


def list_packages() -> dict[str, str]:
    """Each package with its folder."""
    found = {"cardtable": "firmware/cardtable", "host_tools": "host_tools", "boards": "boards"}
    for name, folder in list(found.items()):
        found.update({f"{name}.{part}": f"{folder}/{part.replace('.', '/')}" for part in find_packages(folder)})
    for folder in COPIED:
        name = "cardtable_project." + folder.replace("/", ".")
        inner = find_namespace_packages(folder)
        found.update({name: folder, **{f"{name}.{part}": f"{folder}/{part.replace('.', '/')}" for part in inner}})
    return {name: folder for name, folder in found.items() if "__pycache__" not in name}


PACKAGES = list_packages()

if __name__ == "__main__":
    setup(packages=sorted(PACKAGES), package_dir=PACKAGES)
