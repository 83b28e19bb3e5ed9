"""Lets the short names of the lean code (lean.py, merge.py) stand for one thing in one module and for another in the
next.

MicroPython keeps a name once, however many modules say it, in a table that takes its room in parts: a chip pays 4.4 KB
for the part behind 620 names. Two names become one where no module says both and no object has both: classes that are
derived from each other are one family, and an attribute that is set from outside its class keeps a name of its own.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from string import ascii_uppercase

from host_tools.virtual.lean import WORD
from host_tools.virtual.merge import list_names

# What lean.py and merge.py gave: a capital or two where several modules say it, else an underscore before letters.
_PUBLIC, _PRIVATE = re.compile(r"[A-Z]{1,2}"), re.compile(r"_[a-z]{1,2}")
# Names that cost nothing: of MicroPython's modules math, cmath, errno and uctypes, which the firmware never uses.
IN_ROM = tuple("""
    acos acosh asin asinh atan atan2 atanh ceil copysign cos cosh degrees erf erfc exp expm1 fabs floor fmod frexp gamma
    isclose isfinite isinf isnan ldexp lgamma log10 log2 modf radians sin sinh sqrt tan tanh trunc polar rect
    EACCES EADDRINUSE EALREADY EBADF ECONNABORTED ECONNREFUSED ECONNRESET EEXIST EHOSTUNREACH EINPROGRESS EINVAL
    EIO EISDIR ENOBUFS ENODEV ENOENT ENOMEM ENOTCONN EOPNOTSUPP EPERM ETIMEDOUT errorcode
    ARRAY BFINT16 BFINT32 BFINT8 BFUINT16 BFUINT32 BFUINT8 BF_LEN BF_POS BIG_ENDIAN FLOAT32 FLOAT64 INT INT16 INT32
    INT64 INT8 LITTLE_ENDIAN LONG LONGLONG NATIVE PTR SHORT UINT UINT16 UINT32 UINT64 UINT8 ULONG ULONGLONG USHORT VOID
    addressof bytearray_at bytes_at
""".split())
Said = tuple[str, str]  # a name, and the module that says it; a class, and the module where it stands


def share(texts: Mapping[str, str], kept: Collection[str], foreign: set[str]) -> dict[str, str]:
    """The modules with fewer names. Those that are kept are asked for by what they say now; foreign: names that mean
    something to others. SyntaxError."""
    trees = {module: ast.parse(text) for module, text in texts.items()}
    said = {module: set(list_names(tree)) for module, tree in trees.items()}
    foreign = foreign.union(*(_list_words(tree) for tree in trees.values()))
    names = _Groups((name, module) for module in trees for name in said[module] - foreign
                    if _PUBLIC.fullmatch(name) or _PRIVATE.fullmatch(name))
    for name in {name for name, _ in names.over if _PUBLIC.fullmatch(name)}:
        names.join((name, module) for module in trees)
    families = _find_families(trees, names)
    fixed = {(name, module) for module, tree in trees.items() for name in _list_fixed(tree)}
    fixed |= {(name, module) for module in kept for name in said.get(module, ())}
    groups = names.collect()
    stays = {one for same in groups if not fixed.isdisjoint(same) for one in same}
    free = [same for same in groups if stays.isdisjoint(same)]
    taken = foreign | {name for module in trees for name in said[module]
                       if (name, module) in stays or (name, module) not in names.over}
    renames = _colour(free, families, taken)
    for module, tree in trees.items():
        _Renamer({name: renames[name, module] for name in said[module] if (name, module) in renames}).visit(tree)
    return {module: ast.unparse(tree) + "\n" for module, tree in trees.items()}


class _Groups:
    """What is one and the same, in groups."""

    def __init__(self, single: Iterable[Said]) -> None:
        self.over = {one: one for one in sorted(single)}

    def find(self, one: Said) -> Said:
        while self.over[one] != one:
            one = self.over[one]
        return one

    def join(self, same: Iterable[Said]) -> None:
        roots = sorted({self.find(one) for one in same if one in self.over})
        self.over.update(dict.fromkeys(roots[1:], roots[0]) if roots else {})

    def collect(self) -> list[list[Said]]:
        found: dict[Said, list[Said]] = defaultdict(list)
        for one in self.over:
            found[self.find(one)].append(one)
        return list(found.values())


def _list_words(tree: ast.Module) -> Iterator[str]:
    """The words of all texts: a name may be looked for by one."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from WORD.findall(node.value)


def _list_fixed(tree: ast.Module) -> Iterator[str]:
    """Names that mean more than a module shows: attributes set from outside, and what is said as a parameter."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            if not (isinstance(node.value, ast.Name) and node.value.id == "self"):
                yield node.attr
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            yield node.arg


def _find_families(trees: Mapping[str, ast.Module], names: _Groups) -> dict[Said, set[str]]:
    """Of each name that an object of ours has, the families of its classes. A private name of a family is joined in all
    its modules, and one that is imported in both."""
    members = {(node.name, module): set(list_names(node)) for module, tree in trees.items() for node in ast.walk(tree)
               if isinstance(node, ast.ClassDef)}
    kin = _Groups(members)
    for module, tree in trees.items():
        home = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    home[alias.asname or alias.name] = (alias.name, str(node.module))
                    names.join([(alias.name, module), (alias.name, str(node.module))])
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
                kin.join([(node.name, module), *(home.get(base, (base, module)) for base in bases)])
    found: dict[Said, set[str]] = defaultdict(set)
    for family in kin.collect():
        for name in set().union(*(members[one] for one in family)):
            same = [(name, module) for one, module in family if name in members[one, module]]
            names.join(same)
            for one in same:
                found[one].add(" ".join(family[0]))
    return found


def _colour(groups: Iterable[list[Said]], families: Mapping[Said, set[str]], taken: set[str]) -> dict[Said, str]:
    """A name for each group, so that none meets itself in a module or in a family."""
    found: dict[Said, str] = {}
    met: dict[str, set[str]] = defaultdict(set)  # of a new name, where it stands already
    rows = [({module for _, module in same}.union(*(families.get(one, ()) for one in same)), same) for same in groups]
    for places, same in sorted(rows, key=lambda row: (-len(row[0]), row[1])):
        new = next(name for name in _make_names(taken) if met[name].isdisjoint(places))
        met[new] |= places
        found |= dict.fromkeys(same, new)
    return found


def _make_names(taken: set[str]) -> Iterator[str]:
    yield from (name for name in IN_ROM if name not in taken)
    for length in (1, 2):
        for letters in itertools.product(ascii_uppercase, repeat=length):
            name = "".join(letters)
            if name not in taken:
                yield name


class _Renamer(ast.NodeTransformer):
    """Says everything in a module by its new name."""

    def __init__(self, renames: Mapping[str, str]) -> None:
        self._renames = renames

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "arg", "attr", "name", "asname"):
            value = getattr(node, field, None)
            if isinstance(value, str):
                setattr(node, field, self._renames.get(value, value))
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [self._renames.get(name, name) for name in node.names]
        return super().generic_visit(node)
