"""Writes beside each source what Cython needs to make C of it: the source with its constants as numbers, and a .pxd
that declares arguments, locals and attributes. The source itself stays as the device runs it."""

import ast
from pathlib import Path

from host_tools.base.fast.infer import (
    CLASSES, COUNTED, NUMBER, NUMBERS, Scope, argument_type, c_type, find_attributes, name_of
)

# What rows.pxd has.
_ROWS = (
    "append_eight", "append_number", "ask_enact", "ask_judge", "ask_moves", "ask_number", "ask_undoes", "ask_waiting",
    "bytes_in", "copy_row", "count_byte", "count_marked_in", "count_numbers", "count_unmarked", "cut_out",
    "empty_numbers", "equal_rows", "fetch_ahead", "find_byte", "find_line_end", "find_text", "has_number",
    "number_found", "numbers_in", "numbers_written", "take_number", "told_numbers",
)
# Functions of a game that an object keeps, to call them often, and what asks them.
_ASKED = {
    "_due_ms": "ask_number", "_enact": "ask_enact", "_judge": "ask_judge", "_moves": "ask_moves",
    "_press_first": "ask_number", "_waiting": "ask_waiting",
}
_SEALED = ("Steps",)  # no subclass has another method in the place of one of theirs, so calls need not look for one
_IN_C = {
    "raw.find(b'\\n', at)": "find_line_end(raw, at)", "raw[begin:end]": "cut_out(raw, begin, end)",
    "count_marked(self.played.session.state, self.hidden)":
        "count_marked_in(self.played.session.state.where, self.hidden)",
    "number in self.acts_now": "has_number(self.acts_now, number)",
    "number_acts(found, acts, self.numbers, self.played.chance_verbs)":
        "number_found(found, acts, self.numbering, self.played.chance_verbs)",
    "list_numbers(self.acts_now, self.may_wait())": "told_numbers(self.acts_now, Steps.may_wait(self))",
    "write_numbers(rows[2], at, one.acts_now)": "numbers_written(rows[2], at, one.acts_now)",
    "fetch_next(games, index, rows[2], 2 * most)": "fetch_ahead(games, index, rows[2], 2 * most)",
    "self.undoes(state, verb)": "ask_undoes(self.undoes, state, verb)",
    "said.get(raw[begin:end], _UNKNOWN)": "find_text(said, seen, raw, begin, end)",
    "where.translate(places).count(0) == absent": "count_unmarked(where, asked_where, places, absent) == absent",
}
_BEGUN = ("_OWN_CARDS",)  # rows that are gone through from their first byte on
_ROW_NAMES = ("asked_where", "last_draw", "out", "register", "waited", "where")
Edit = tuple[int, int, int, str]  # line, first byte, end, and the text that takes its place


class Module:
    """One source, read: its tree, its constants, what it defines and what it takes from other modules."""

    def __init__(self, name: str, path: Path) -> None:
        self.name = name
        self.source = path.read_text(encoding="utf-8")
        self.tree = ast.parse(self.source)
        self.constants: dict[str, object] = {}
        self.functions = [node for node in self.tree.body if isinstance(node, ast.FunctionDef) and is_plain(node)]
        self.classes = [node for node in self.tree.body if isinstance(node, ast.ClassDef) and node.name in CLASSES]
        self.imports = [node for node in self.tree.body if isinstance(node, ast.ImportFrom)]

    def read_constants(self, modules: dict[str, "Module"]) -> None:
        """Every `NAME = const(...)`, its own or imported; modules come behind those that they import."""
        for node in self.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module in modules:
                theirs = modules[node.module].constants
                self.constants |= {a.asname or a.name: theirs[a.name] for a in node.names if a.name in theirs}
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and is_const(node.value):
                number = ast.Expression(node.value.args[0])
                value = eval(compile(number, self.name, "eval"), {}, dict(self.constants))
                self.constants |= {target.id: value for target in node.targets if isinstance(target, ast.Name)}

    def counted(self) -> set[str]:
        """The names of its lists that are rows of numbers in C."""
        names = [made.name for made in self.classes] + [function.name for function in self.functions]
        return {name for said in names for name in COUNTED.get(said, ())}

    def numbers(self) -> set[str]:
        """The names of the constants that are whole numbers."""
        return {name for name, value in self.constants.items() if isinstance(value, int)}


def is_const(call: ast.Call) -> bool:
    """Whether it is MicroPython's `const(...)`."""
    return isinstance(call.func, ast.Name) and call.func.id == "const"


def is_plain(function: ast.FunctionDef) -> bool:
    """Whether C can have the function: no closure in it, no generator."""
    return not any(isinstance(node, (ast.GeneratorExp, ast.Lambda, ast.Yield)) for node in ast.walk(function))


def list_methods(made: ast.ClassDef) -> list[ast.FunctionDef]:
    """The methods that C can call as C."""
    methods = [node for node in made.body if isinstance(node, ast.FunctionDef)]
    return [method for method in methods if not method.name.startswith("__") and is_plain(method)]


class Declarer:
    """All modules together: what they know of each other."""

    def __init__(self, sources: dict[str, Path], facts: dict[str, Path] | None = None) -> None:
        """facts: modules that are not compiled, but hand constants on to those that are."""
        self.modules = {name: Module(name, path) for name, path in sources.items()}
        self.known = self.modules | {name: Module(name, path) for name, path in (facts or {}).items()}
        self.homes: dict[str, str] = {}  # of each class and function that others may take from it
        self.defined: set[tuple[str, str]] = set()  # (module, name): games may have functions of the same name
        self.sealed: set[tuple[str | None, str]] = set()  # (class, method)
        self.returned: dict[str, str | None] = {"set_up": "State"}
        self.tables = {"register", "where", "waited", "chance", "raw"}
        for module in self.modules.values():
            names = [made.name for made in module.classes] + [function.name for function in module.functions]
            self.homes |= dict.fromkeys(names, module.name)
            self.defined |= {(module.name, name) for name in names}
            methods = [node for made in module.classes for node in made.body if isinstance(node, ast.FunctionDef)]
            for made in [made for made in module.classes if made.name in _SEALED]:
                self.sealed |= {(made.name, method.name) for method in list_methods(made)}
            for function in [*module.functions, *methods]:
                kind = c_type(function.returns)
                self.returned[function.name] = kind if self.returned.get(function.name, kind) == kind else None
            self.tables |= set(find_rows(module.tree)) | set(self.rows_from_others(module))
        for _ in self.modules:  # whatever the order of their names
            for module in self.known.values():
                try:
                    module.read_constants(self.known)
                except NameError:
                    continue

    def fold(self, name: str) -> str:
        """The source, every constant that a function reads being its number; each line stays where it was."""
        module = self.modules[name]
        lines = [line.encode() for line in module.source.split("\n")]
        edits = []
        for body in [*module.functions, *[node for node in module.tree.body if isinstance(node, ast.ClassDef)]]:
            stored = {node.id for node in ast.walk(body) if isinstance(node, ast.Name) and is_stored(node)}
            for node in ast.walk(body):
                if isinstance(node, ast.Name) and node.id in module.constants and node.id not in stored:
                    edits.append(edit(node, repr(module.constants[node.id])))
            edits += use_rows(body) + ask_directly(body) + self.call_directly(body) + count(body, module.counted())
        for made in module.classes:
            edits += [edit(node, "pass") for node in made.body if is_slots(node)]
        for number, begin, end, text in sorted(drop_inner(edits), reverse=True):
            line = lines[number - 1]
            lines[number - 1] = line[:begin] + text.encode() + line[end:]
        return b"\n".join(lines).decode() + self.rebind(module)

    def call_directly(self, body: ast.AST) -> list[Edit]:
        """The edits that make `Steps.act(self, ...)` of `self.act(...)`, also where an argument is a `Steps`.

        C then calls C. Else each call of a method looks first whether a subclass has another, in the object's own dict.
        """
        own = {"self": body.name} if isinstance(body, ast.ClassDef) else {}
        edits = []
        for function in [node for node in ast.walk(body) if isinstance(node, ast.FunctionDef)]:
            kinds = {argument.arg: argument_type(argument) for argument in function.args.args} | own
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                    of, method = ast.unparse(node.func.value), node.func.attr
                    if (kinds.get(of), method) in self.sealed:
                        end = node.args[0].col_offset if node.args else node.end_col_offset or 0
                        called = f"{kinds[of]}.{method}({of}" + (", " if node.args else ")")
                        edits.append((node.lineno, node.col_offset, end, called))
        return edits

    def rebind(self, module: Module) -> str:
        """What a module imports is C's alone, unless Python is told of it too: others may take it from here."""
        lines = ""
        for node in module.imports:
            if node.module in self.modules:
                names = ", ".join(f"{alias.name}=_home.{alias.name}" for alias in node.names)
                lines += f"\nimport {node.module} as _home\nglobals().update({names})\n"
        rows = ", ".join(f"{name}={name}" for name in find_rows(module.tree) if name.startswith("_"))
        return lines + (f"\nglobals().update({rows})\n" if rows else "")

    def needs(self, name: str) -> set[str]:
        """The module and all whose declarations it includes, and theirs."""
        found = {name}
        for node in self.modules[name].imports:
            if node.module in self.modules and node.module != name:
                found |= self.needs(node.module)
        return found | {self.homes[made] for made in ("State", "Event") if made in self.homes}

    def declare(self, name: str) -> str:
        """The module's .pxd."""
        module = self.modules[name]
        lines = ["import cython", "from host_tools.base.fast.rows cimport " + ", ".join(_ROWS)]
        written = []
        for made in module.classes:
            written += self.declare_class(made, module)
        for function in module.functions:
            written += self.declare_function(function, "", {}, module)
        text = "\n".join(written)
        for node in module.imports:
            if node.module in self.modules:
                names = [alias.name for alias in node.names if (node.module, alias.name) in self.defined]
                lines += [f"from {node.module} cimport {', '.join(names)}"] if names else []
        for said in CLASSES:  # named in a declaration, though nothing is imported
            home = self.homes.get(said, name)
            if home != name and f"{said} " in text:
                lines.append(f"from {home} cimport {said}")
        return "\n".join([*lines, *self.declare_rows(module), text, ""])

    def declare_rows(self, module: Module) -> list[str]:
        """Private rows of numbers, and those of other modules, become C variables; its own public ones stay objects."""
        rows = {name: kind for name, kind in find_rows(module.tree).items() if name.startswith("_")}
        rows |= self.rows_from_others(module)
        return [f"cdef {kind} {name}" for name, kind in rows.items()]

    def rows_from_others(self, module: Module) -> dict[str, str]:
        """The rows of numbers that it imports, under its own names for them; facts hand on those of a game."""
        rows: dict[str, str] = {}
        for node in module.imports:
            if node.module in self.known:
                other = self.known[node.module]
                theirs = find_rows(other.tree)
                theirs |= self.rows_from_others(other) if node.module not in self.modules else {}
                rows |= {alias.asname or alias.name: theirs[alias.name] for alias in node.names if alias.name in theirs}
        return rows

    def declare_class(self, made: ast.ClassDef, module: Module) -> list[str]:
        """A class as a C structure, without a dict: each call of a method would look there first for another one. A
        subclass has one."""
        lines = [f"cdef class {made.name}:"]
        attributes = find_attributes(made, self.returned)
        lines += [f"    cdef public {kind} {name}" for name, kind in attributes.items()]
        for method in list_methods(made):
            lines += self.declare_function(method, "    ", attributes, module)
        return lines

    def declare_function(
        self, function: ast.FunctionDef, indent: str, own: dict[str, str], module: Module
    ) -> list[str]:
        """A function that C calls as C, and Python as ever."""
        scope = Scope(function, self.tables, self.returned, own, module.numbers())
        counted = module.counted()
        returned = c_type(function.returns)
        kind, raised = (returned + " " if returned else ""), ""
        if returned in NUMBERS:  # without one None is returned: of `void` the caller must ask whether there is an error
            raised = " except? -1"
        arguments = []
        first_default = len(function.args.args) - len(function.args.defaults)
        for index, argument in enumerate(function.args.args):
            of = argument_type(argument) if argument.arg != "self" else None
            of = "bytearray" if argument.arg in counted else of
            arguments.append((of + " " if of else "") + argument.arg + ("=*" if index >= first_default else ""))
        lines = []
        if scope.locals:
            kinds = [f"{name}={'cython.longlong' if of == NUMBER else of}" for name, of in sorted(scope.locals.items())]
            lines.append(f"{indent}@cython.locals({', '.join(kinds)})")
        return [*lines, f"{indent}cpdef {kind}{function.name}({', '.join(arguments)}){raised}"]


def edit(node: ast.expr | ast.stmt, text: str) -> Edit:
    """Line, first byte, end and text of what takes the place of an expression on one line."""
    return node.lineno, node.col_offset, node.end_col_offset or 0, text


def drop_inner(edits: list[Edit]) -> list[Edit]:
    """Without those inside an expression that goes as a whole."""
    kept: list[Edit] = []
    for one in sorted(edits, key=lambda one: (one[0], one[1], -one[2])):
        if not kept or one[0] != kept[-1][0] or one[1] >= kept[-1][2]:
            kept.append(one)
    return kept


def use_rows(body: ast.AST) -> list[Edit]:
    """The edits that make C of a bytearray's methods (rows.pxd): `row.find(`, `row.count(`, `row[:] = other`,
    `row == other`, `row.translate(marks).count(0)`, `for one in _ROW[:count]`; of a move that is put into a list; and
    of all that `_IN_C` has."""
    edits: list[Edit] = []
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and is_row(node.func.value):
            name = {"find": "find_byte", "count": "count_byte"}.get(node.func.attr)
            if name and not (name == "find_byte" and len(node.args) > 2):
                row = ast.unparse(node.func.value)
                edits.append((node.lineno, node.col_offset, node.args[0].col_offset, f"{name}({row}, "))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and is_append(node.value):
            row = ast.unparse(node.value.func)[: -len(".append")]
            name = "append_eight" if row == "self.said" else "append_number"
            edits.append((node.lineno, node.col_offset, node.value.args[0].col_offset, f"{name}({row}, "))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            target, value = node.targets[0], node.value
            whole = isinstance(target.slice, ast.Slice) and target.slice.lower is None and target.slice.upper is None
            if whole and is_row(target.value):
                row = ast.unparse(target.value)
                edits.append((node.lineno, target.col_offset, value.col_offset, f"copy_row({row}, "))
                end = value.end_col_offset or 0
                edits.append((value.lineno, end, end, ")"))
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Subscript) and is_beginning(node.iter):
            edits.append(edit(node.iter.value, f"bytes_in({ast.unparse(node.iter.value)})"))
        elif isinstance(node, (ast.Call, ast.Compare, ast.Subscript)) and ast.unparse(node) in _IN_C:
            edits.append(edit(node, _IN_C[ast.unparse(node)]))
        elif isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and len(node.ops) == 1:
            if is_row(node.left) and is_row(node.comparators[0]):
                rows = f"{ast.unparse(node.left)}, {ast.unparse(node.comparators[0])}"
                edits.append(edit(node, f"equal_rows({rows})"))
    return edits


def count(body: ast.AST, names: set[str]) -> list[Edit]:
    """The edits that make rows of numbers of the lists of these names."""
    edits: list[Edit] = []
    for node in ast.walk(body):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and name_of(node.func.value) in names:
            row = ast.unparse(node.func.value)
            if node.func.attr == "clear":
                edits.append(edit(node, f"empty_numbers({row})"))
            elif node.func.attr == "append":
                edits.append((node.lineno, node.col_offset, node.args[0].col_offset, f"append_number({row}, "))
        elif isinstance(node, ast.Call) and name_of(node.func) == "len" and name_of(node.args[0]) in names:
            edits.append(edit(node.func, "count_numbers"))
        elif isinstance(node, ast.Subscript) and name_of(node.value) in names and not isinstance(node.slice, ast.Slice):
            row, end = ast.unparse(node.value), node.end_col_offset or 0
            edits.append((node.lineno, node.col_offset, node.slice.col_offset, f"take_number({row}, "))
            edits.append((node.lineno, end - 1, end, ")"))
        elif isinstance(node, ast.For) and name_of(node.iter) in names:
            row = ast.unparse(node.iter)
            edits.append(edit(node.iter, f"numbers_in({row})[:count_numbers({row})]"))
        elif isinstance(node, ast.AnnAssign) and name_of(node.target) in names and node.value:
            edits.append(edit(node.value, "bytearray()"))
    return edits


def ask_directly(body: ast.AST) -> list[Edit]:
    """The edits that make `self._judge(` and its like calls from C to C."""
    asked = [node for node in ast.walk(body) if isinstance(node, ast.Call) and name_of(node.func) in _ASKED]
    return [
        (node.lineno, node.col_offset, node.args[0].col_offset,
         f"{_ASKED[name_of(node.func)]}({ast.unparse(node.func)}, ")
        for node in asked
    ]


def is_beginning(node: ast.Subscript) -> bool:
    """Whether it is `_ROW[:count]`, of a private row that is never shorter than the count."""
    return isinstance(node.slice, ast.Slice) and name_of(node.value) in _BEGUN


def is_row(node: ast.expr) -> bool:
    """Whether the expression is one of the rows of a state, or of what is waited for."""
    return name_of(node) in _ROW_NAMES and not isinstance(node, ast.Call)


def is_append(call: ast.Call) -> bool:
    """Whether it puts a packed move, a number that can be chosen or that of an act into a list."""
    return ast.unparse(call.func) in ("out.append", "self.done.append", "self.said.append")


def is_stored(node: ast.Name) -> bool:
    """Whether the name is written there."""
    return not isinstance(node.ctx, ast.Load)


def is_slots(node: ast.stmt) -> bool:
    """Whether it is the line `__slots__ = ...`, which a C structure has no use for."""
    return isinstance(node, ast.Assign) and [t.id for t in node.targets if isinstance(t, ast.Name)] == ["__slots__"]


def find_rows(tree: ast.Module) -> dict[str, str]:
    """The module's rows of numbers: names that are bytes or a bytearray from their first line on."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = node.value
            if isinstance(value, ast.Call) and name_of(value.func) in ("bytes", "bytearray"):
                found[node.targets[0].id] = name_of(value.func)
            elif isinstance(value, ast.Constant) and isinstance(value.value, bytes):
                found[node.targets[0].id] = "bytes"
    return found
