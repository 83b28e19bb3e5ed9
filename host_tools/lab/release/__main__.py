"""`make release`: everything that is published, in one folder, the same bytes wherever the same commit is built.

It builds what is committed, from a copy of it, and takes its time from the commit (or from SOURCE_DATE_EPOCH).
"""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from pathlib import Path

import click

from cardtable.version import FIRMWARE
from host_tools.base import foreign, on_host, project
from host_tools.base.errors import UnusableInput
from host_tools.base.fast.sources import find_compiled
from host_tools.lab.release.archives import list_files, settle_tar, write_zip
from host_tools.lab.release.notes import take_notes
from host_tools.lab.release.sbom import write_sbom
from host_tools.look.published.npm import Pinned
from host_tools.maker.board.load import load, names
from host_tools.maker.device.filesystem import FLASH_MB, write_filesystem
from host_tools.maker.device.package import build_for_chip, write_mip

NAME = "cardtable"
NOTES, SUMS = "NOTES.md", "SHA256SUMS"
VIRTUAL = "virtual"  # a board that nobody solders
# Programs that name the Python which built them, and what only compiles.
NOT_PACKED = ("bin", "pybind11*")


def list_served() -> tuple[Pinned, ...]:
    """The packages of npm that the site gives out."""
    on_host.prepare()  # its rooms read the firmware
    from host_tools.look.published.flash import LOADER
    from host_tools.look.published.python_side import PACKAGE, UNPACKER

    return PACKAGE, UNPACKER, LOADER


def run(*command: object, more: dict[str, str] | None = None) -> bytes:
    """A step; what it prints. UnusableInput with its last line where it fails."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("CARDTABLE_", "PYTHONPATH"))}
    done = subprocess.run([str(word) for word in command], cwd=project.ROOT, env={**kept, **(more or {})},
                          capture_output=True)
    if done.returncode:
        said = (done.stderr or done.stdout).decode(errors="replace").strip().splitlines()
        raise UnusableInput(f"{' '.join(map(str, command[:4]))}: {said[-1] if said else done.returncode}")
    return done.stdout


def pip(*words: object) -> tuple[object, ...]:
    """A command of this Python's pip, at the versions of constraints.txt."""
    return sys.executable, "-m", "pip", *words, "--quiet", "--disable-pip-version-check"


class Release:
    """One build. `folder` takes the files; `source` is the copy of the commit; `at_s` the time that all files have."""

    def __init__(self, folder: Path, source: Path, at_s: int) -> None:
        self.folder, self.source, self.at_s = folder, source, at_s
        self.environment = {"SOURCE_DATE_EPOCH": str(at_s)}

    def build_wheels(self) -> Path:
        """The wheel for every machine, and, where the engine is compiled, the one for this one; the first's path."""
        make = pip("wheel", "--no-deps", "--wheel-dir", self.folder, self.source)
        run(*make, more=self.environment)
        pure = next(self.folder.glob("*-none-any.whl"))
        compiled = find_compiled()
        if compiled is None:
            foreign.say("No wheel with the compiled engine: there is none here (make setup says why).", err=True)
            return pure
        shutil.copytree(compiled, self.source / "build" / "fast" / "wheel")
        shutil.rmtree(self.source / "build" / "lib", ignore_errors=True)
        run(*make, more={**self.environment, "CARDTABLE_COMPILED": "build/fast/wheel"})
        shutil.rmtree(self.source / "build")
        return pure

    def build_source(self) -> None:
        """The source archive, from which pip builds too."""
        run(sys.executable, "-m", "build", "--sdist", "--outdir", self.folder, self.source, more=self.environment)
        settle_tar(next(self.folder.glob("*.tar.gz")), self.at_s)

    def install(self, wheel: Path, packages: Path) -> None:
        """The wheel with all that it needs, in a folder, without what says where that is."""
        run(*pip("install", "--no-compile", "--target", packages, "--constraint", project.ROOT / "constraints.txt",
                 wheel))
        for inner in packages.glob("*.dist-info"):
            for name in ("direct_url.json", "RECORD", "INSTALLER", "REQUESTED"):
                (inner / name).unlink(missing_ok=True)

    def build_program(self, packages: Path) -> None:
        """One file that runs where a CPython like this one is, with MicroPython if a registry has it: a .pyz."""
        for pattern in NOT_PACKED:
            for path in packages.glob(pattern):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path in packages.rglob("*"):
            path.chmod(0o755 if path.is_dir() or os.access(path, os.X_OK) else 0o644)
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        target = self.folder / f"{NAME}-{FIRMWARE}-{sys.implementation.cache_tag}-{platform}.pyz"
        run(sys.executable, "-m", "shiv", "--site-packages", packages, "--console-script", NAME, "--reproducible",
            "--extend-pythonpath", "--build-id", hashlib.sha256(f"{FIRMWARE} {self.at_s}".encode()).hexdigest(),
            "--output-file", target, more=self.environment)

    def build_boards(self) -> None:
        """For each board what mip installs, and its file system for each size of flash."""
        for board in names():
            if board == VIRTUAL:
                continue
            with tempfile.TemporaryDirectory() as folder:
                mip = Path(folder, "mip")
                write_mip(build_for_chip(board), mip)
                write_zip(self.folder / f"{NAME}-{FIRMWARE}-mip-{board}.zip", list_files(mip), self.at_s)
            for size in FLASH_MB[load(board).MODULE]:
                made = write_filesystem(board, size, self.folder)
                made.rename(self.folder / f"{NAME}-{FIRMWARE}-{made.name}")

    def build_site(self, folder: Path) -> None:
        """The site, made in that folder by the command of `make site`, whatever SITE and SITE_ADDRESS say: its own
        folder may hold another one, and an address would be written into README.md."""
        path = os.pathsep.join(map(str, (project.ROOT, project.ROOT / "firmware")))
        run(sys.executable, "-m", "host_tools.cli", "site", folder, more={**self.environment, "PYTHONPATH": path})
        write_zip(self.folder / f"{NAME}-{FIRMWARE}-site.zip", list_files(folder), self.at_s)

    def write_sums(self) -> None:
        """SHA256SUMS of all the others, as `sha256sum --check` reads it."""
        rows = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in list_files(self.folder)]
        (self.folder / SUMS).write_text("".join(rows), encoding="utf-8")


def find_time() -> int:
    """Seconds since 1970: what SOURCE_DATE_EPOCH says, else the commit's. UnusableInput."""
    said = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct").decode()
    if not said.strip().isdecimal():
        raise UnusableInput(f"SOURCE_DATE_EPOCH is no number of seconds: {said!r}")
    return int(said)


def check(folder: Path) -> None:
    """UnusableInput where anything but a release lies there."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if path.is_dir() or not path.name.startswith((f"{NAME}-", NOTES, SUMS)):
            raise UnusableInput(f"{path} is no file of a release, which empties its folder: name another one")


def bring(made: Path, folder: Path) -> None:
    """Put a whole release there, in the place of an earlier one; its sums come last, so a part has none.
    UnusableInput."""
    check(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for path in sorted(made.iterdir(), key=lambda path: (path.name == SUMS, path.name)):
        shutil.move(path, folder / path.name)


@click.command()
@click.option("--to", "folder", type=foreign.PathName(path_type=Path, file_okay=False),
              default=project.BUILD / "release", show_default=True, help="Write here.")
@click.option("--without-site", is_flag=True, help="Leave the site out.")
def command(folder: Path, without_site: bool) -> None:
    """Build the files of a release from what is committed. Not from changes that are not."""
    # A new file counts, too: boards and site are built of what lies here.
    if changed := run("git", "status", "--porcelain").decode().splitlines():
        raise UnusableInput(f"{len(changed)} changed files are not committed: a release is built from a commit")
    os.umask(0o022)
    at_s = find_time()
    check(folder)
    notes, is_complete = take_notes((project.ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), FIRMWARE)
    served = () if without_site else list_served()
    with tempfile.TemporaryDirectory() as workshop:
        made, source, packages = (Path(workshop, name) for name in ("made", "source", "packages"))
        made.mkdir()
        (made / NOTES).write_text(notes, encoding="utf-8")
        with tarfile.open(fileobj=io.BytesIO(run("git", "archive", "HEAD"))) as archive:
            archive.extraction_filter = getattr(tarfile, "data_filter", None)  # since 3.11.4, and Debian 12 has 3.11.2
            archive.extractall(source)
        release = Release(made, source, at_s)
        wheel = release.build_wheels()
        release.build_source()
        release.install(wheel, packages)
        (made / f"{NAME}-{FIRMWARE}.cdx.json").write_text(write_sbom(packages, NAME, at_s, served), encoding="utf-8")
        release.build_program(packages)
        release.build_boards()
        if not without_site:
            release.build_site(Path(workshop, "site"))
        release.write_sums()
        bring(made, folder)
    for name in sorted(path.name for path in folder.iterdir()):
        foreign.say(f"{(folder / name).stat().st_size:>10,} {name}")
    if not is_complete:
        foreign.say("CHANGELOG.md has entries under [Unreleased]: give them a version before you tag one.", err=True)


def main() -> int:
    """As `cardtable` ends: bad input is one sentence."""
    try:
        command.main(standalone_mode=False)
    except (UnusableInput, click.ClickException) as wrong:
        foreign.say(str(getattr(wrong, "message", wrong)), err=True)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
