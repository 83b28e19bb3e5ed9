"""Compiles what `sources` lists with Cython and this machine's C compiler, each module in a process of its own.

`python -m host_tools.base.fast.build` says in one line what came of it and never fails: without a compiler, or where
anything goes wrong, the sources run as they are. With `--to FOLDER` it lays the modules out for a wheel, and fails.
"""

import contextlib
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib import metadata
from pathlib import Path

from host_tools.base.fast.declare import Declarer
from host_tools.base.fast.sources import (
    COMPILED, DONE, PURE, find_whole, is_used, list_facts, list_sources, make_stamp
)
from host_tools.base.files import settle, write_file

# A tag that is out of range must be an error as in Python, so bounds stay checked; no source uses negative indices.
DIRECTIVES = ("wraparound=False", "annotation_typing=False", "initializedcheck=False", "binding=False")
# What Cython makes of `register[...]`: a call each, unless the compiler is told that it pays to have it in place.
IN_PLACE = re.compile(r"static CYTHON_INLINE int (__Pyx_[GS]etItemInt_Byte(?:s|Array)_Fast)")
AT_ONCE = (
    "#ifdef __GNUC__\n#define IN_PLACE inline __attribute__((always_inline))\n"
    "#else\n#define IN_PLACE CYTHON_INLINE\n#endif\n"
)
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX") or ".so"
KEPT = "packed"  # compiled modules by what they were made of, so that a change recompiles one module
TIME_LIMIT_S = 600
OLD_S = 3600  # what is younger may be another build's


class CannotCompile(Exception):
    """The text is the reason, as the end of a sentence."""


def find_compiler() -> list[str]:
    """The command that makes a shared library for this Python; on Windows none, for setuptools knows the way there.
    Raises CannotCompile."""
    if sys.platform == "win32":
        return []
    command = shlex.split(os.environ.get("CC") or "") or shlex.split(sysconfig.get_config_var("CC") or "cc")
    if shutil.which(command[0]) is None:
        command = ["cc"]
    if shutil.which(command[0]) is None:
        raise CannotCompile("there is no C compiler (Debian: gcc)")
    include = sysconfig.get_path("include")
    if not Path(include, "Python.h").is_file():
        raise CannotCompile("Python's C headers are missing (Debian: python3-dev)")
    linked = shlex.split(sysconfig.get_config_var("LDSHARED") or "")
    compiles = shlex.split(sysconfig.get_config_var("CC") or "")
    linked = linked[len(compiles) if linked[:len(compiles)] == compiles else 1:] or ["-shared"]
    flags = shlex.split(sysconfig.get_config_var("CCSHARED") or "-fPIC")
    # -O1 compiles in two thirds of the time of -O2 and runs slower; -g0 and -w, because the C is never read;
    # without NDEBUG each access to an object would ask first whether it is one.
    return [*command, *linked, *flags, "-O2", "-g0", "-w", "-DNDEBUG", "-fwrapv", f"-I{include}"]


def find_cython() -> str:
    """Cython's version. Raises CannotCompile."""
    try:
        return metadata.version("cython")
    except metadata.PackageNotFoundError:
        raise CannotCompile("Cython is not installed (make setup brings it)") from None


def tell_maker() -> str:
    """What makes C of the sources, and machine code of that: another one makes other modules. Raises CannotCompile."""
    return "\n".join([find_cython(), sys.version, *find_compiler()[1:-1], *DIRECTIVES])


class Builder:
    """One build: the prepared sources in a folder of their own, then a shared library for each."""

    def __init__(self, folder: Path) -> None:
        """`folder` takes the prepared sources. Raises CannotCompile."""
        self.compiler = find_compiler()
        self.folder = folder
        declarer = Declarer(list_sources(), list_facts())
        declared = {name: declarer.declare(name) for name in declarer.modules}
        rows = Path(__file__).with_name("rows.pxd").read_text(encoding="utf-8")
        maker = tell_maker()
        self.keys = {}
        for name in declared:
            source = declarer.fold(name)
            theirs = [declared[other] for other in sorted(declarer.needs(name))]
            key = "\n".join([name, maker, rows, source, *theirs])
            self.keys[name] = hashlib.sha256(key.encode()).hexdigest()[:20]
            path = self.place(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(source, encoding="utf-8")
            path.with_suffix(".pxd").write_text(declared[name], encoding="utf-8")
        fast = folder / "host_tools" / "base" / "fast"
        fast.mkdir(parents=True, exist_ok=True)
        (fast / "rows.pxd").write_text(rows, encoding="utf-8")
        (fast / "__init__.pxd").touch()
        for package in {part for name in declared for part in Path(*name.split(".")).parents if part.name}:
            (folder / package / "__init__.pxd").touch()

    def place(self, name: str) -> Path:
        """The prepared source of the module."""
        return self.folder.joinpath(*name.split(".")).with_suffix(".py")

    def kept(self, name: str) -> Path:
        """Where the compiled module is kept, packed: what was cut short by a power cut cannot be unpacked."""
        return COMPILED / KEPT / f"{self.keys[name]}.z"

    def keep(self, name: str, made: bytes) -> None:
        """Keep it for this build and later ones."""
        self.kept(name).parent.mkdir(parents=True, exist_ok=True)
        write_file(self.kept(name), zlib.compress(made, 1))

    def unpack(self, name: str) -> bytes:
        """The module that is kept. OSError: it is not there; zlib.error: it is not whole."""
        return zlib.decompress(self.kept(name).read_bytes())

    def is_kept(self, name: str) -> bool:
        """Whether it is there and whole."""
        try:
            return bool(self.unpack(name))
        except (OSError, zlib.error):
            return False

    def missing(self) -> list[str]:
        """The modules that must be compiled, the largest first: it takes longest."""
        names = [name for name in self.keys if not self.is_kept(name)]
        return sorted(names, key=lambda name: -self.place(name).stat().st_size)

    def compile(self, name: str) -> None:
        """One module. Raises CannotCompile."""
        path = self.place(name)
        options = [part for directive in DIRECTIVES for part in ("-X", directive)]
        # Paths within the folder: no name of this machine stands in what is made, and the same source is the same C.
        source, written_to = (path.relative_to(self.folder).with_suffix(suffix).as_posix() for suffix in (".py", ".c"))
        run([sys.executable, "-m", "cython", "-3", *options, "-o", written_to, source], self.folder)
        made = path.with_suffix(".so")
        written = path.with_suffix(".c").read_text(encoding="utf-8")
        path.with_suffix(".c").write_text(AT_ONCE + IN_PLACE.sub(r"static IN_PLACE int \1", written), encoding="utf-8")
        if self.compiler:
            run([*self.compiler, written_to, "-o", made.relative_to(self.folder).as_posix()], self.folder)
        else:
            compile_by_setuptools(path.with_suffix(".c"), made)
        self.keep(name, made.read_bytes())

    def compile_missing(self) -> Iterator[str]:
        """Compile what must be, as many at once as there are processors; each name once it is done."""
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            jobs = {pool.submit(self.compile, name): name for name in self.missing()}
            try:
                for job in as_completed(jobs):
                    job.result()
                    yield jobs[job]
            finally:
                pool.shutdown(cancel_futures=True)

    def lay_out(self, target: Path, stamp: str) -> None:
        """Put every compiled module under the name by which Python finds it. Stamp and sizes come last, once all of
        them are on the disk."""
        said = [stamp]
        for name in self.keys:
            path = place_in(target, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.unpack(name))
            settle(path)
            said.append(f"{path.stat().st_size} {path.relative_to(target).as_posix()}")
        (target / DONE).write_text("\n".join(said))


def place_in(folder: Path, name: str) -> Path:
    """Where Python finds the compiled module in what is laid out."""
    return folder.joinpath(*name.split(".")).with_suffix(SUFFIX)


def told_maker(stamp: str) -> Path:
    """The file that says what made the modules of that stamp: it is not among them, and in no wheel."""
    return COMPILED / KEPT / f"{stamp}.maker"


def is_made(stamp: str) -> bool:
    """Whether all modules are laid out, by the Cython and the compiler of today; where one of them is missing, by any.
    """
    if find_whole(stamp) is None:
        return False
    try:
        return told_maker(stamp).read_text() == tell_maker()
    except CannotCompile:
        return True
    except OSError:
        return False


def compile_by_setuptools(source: Path, made: Path) -> None:
    """Make a shared library of a C file with the compiler that setuptools finds. Raises CannotCompile."""
    from setuptools import Distribution, Extension  # type: ignore[import-untyped]
    from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

    builder = build_ext(Distribution({"ext_modules": [Extension(source.stem, [str(source)])]}))
    builder.build_lib = builder.build_temp = str(made.with_suffix(".built"))
    try:
        builder.ensure_finalized()
        builder.run()
        shutil.copyfile(builder.get_ext_fullpath(source.stem), made)
    except Exception as error:  # setuptools has no one class of them
        raise CannotCompile(f"the compiler failed: {error}") from error


def run(command: list[str], folder: Path) -> None:
    """A step of the compiler. Raises CannotCompile with the first line that says error."""
    try:
        ended = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=TIME_LIMIT_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotCompile(f"{command[0]} did not end: {error}") from error
    if ended.returncode:
        said = [line.strip() for line in (ended.stderr + ended.stdout).splitlines() if "rror" in line]
        raise CannotCompile(f"{Path(command[0]).name} says {said[0] if said else ended.returncode}")


def tidy(stamp: str, keys: set[str], away: Path) -> None:
    """Move what earlier sources left into a folder that is about to be removed, but nothing that another build may be
    making just now, or a process uses."""
    old_s = time.time() - OLD_S
    for path in [*COMPILED.iterdir(), *(COMPILED / KEPT).iterdir()]:
        if path.name in (stamp, KEPT) or path.stem in keys or changed_s(path) > old_s or is_used(path):
            continue
        with contextlib.suppress(OSError):
            path.rename(away / path.name)


def changed_s(path: Path) -> float:
    """When it was changed last, in seconds as `time` counts; now, if it has just gone."""
    try:
        return path.stat().st_mtime
    except OSError:
        return time.time()


def build() -> int:
    """Compile what has changed; how many modules that were. Raises CannotCompile."""
    from rich.progress import Progress

    stamp = make_stamp()
    if is_made(stamp):
        return 0
    find_cython()
    COMPILED.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=COMPILED, ignore_cleanup_errors=True) as folder:
        builder = Builder(Path(folder, "made"))
        missing = builder.missing()
        with Progress(transient=True, disable=not sys.stdout.isatty()) as progress:
            task = progress.add_task("Compiling the engine", total=len(missing))
            for _ in builder.compile_missing():
                progress.advance(task)
        ready, away = Path(folder, "ready"), Path(folder, "away")
        builder.lay_out(ready, stamp)
        away.mkdir()
        with contextlib.suppress(OSError):  # there is none
            (COMPILED / stamp).rename(away / stamp)  # a part, or another Cython's
        with contextlib.suppress(OSError):  # another build was faster
            ready.rename(COMPILED / stamp)
            told_maker(stamp).write_text(tell_maker())
        tidy(stamp, {stamp, *builder.keys.values()}, away)
    return len(missing)


def lay_out_for_wheel(folder: Path) -> None:
    """Compile what has changed, and put it where setup.py takes it from. Raises CannotCompile."""
    build()
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(COMPILED / make_stamp(), folder)
    (folder / DONE).write_text(make_stamp())  # without sizes: tools that repair wheels may change a module


def main(words: Sequence[str] = ()) -> int:
    """`make setup` and `make test` end here: silent where nothing had to be done."""
    if words[:1] == ["--to"]:
        try:
            lay_out_for_wheel(Path(words[1]))
        except CannotCompile as reason:
            print(f"There is no compiled wheel: {reason}.", file=sys.stderr)
            return 1
        return 0
    if os.environ.get(PURE, "0") not in ("", "0"):
        return 0
    try:
        count = build()
        if count:
            print(f"The engine is compiled ({count} modules); {PURE}=1 runs its source instead.")
    except CannotCompile as reason:
        print(f"The engine is not compiled, and slower for that: {reason}.")
    except Exception as error:  # whatever it is, the sources run
        print(f"The engine is not compiled, and slower for that: {type(error).__name__}: {error}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
