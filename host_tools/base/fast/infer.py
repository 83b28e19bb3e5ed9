"""Infers from the source which names hold C numbers: the engine's integers stay below 2^30, or MicroPython would
allocate. Everything that is not certain stays a Python object."""

import ast
from collections.abc import Collection

NUMBER = "long long"  # 64 bits everywhere: Windows gives a long 32
NUMBERS = (NUMBER, "bint")
C_TYPES = {
    "int": NUMBER, "bool": "bint", "bytearray": "bytearray", "bytes": "bytes", "list": "list", "str": "str",
    "tuple": "tuple", "dict": "dict",
}
# Classes that become C structures; their attributes are inferred from __init__.
CLASSES = ("State", "Event", "Session", "Random", "RandomGame", "Before", "Known", "Steps")
# Their lists of packed moves and of numbers, what functions of the same module call one, and one of a function alone:
# rows of numbers in C.
COUNTED = {
    "RandomGame": ("options",), "Steps": ("acts", "acts_next", "acts_now", "found"), "list_numbered": ("numbers",),
}
_BUFFERS = ("asked_where", "register", "where")  # what these names stand for everywhere
_NUMBERED = ("card", "packed", "seat")  # and these are numbers, whatever list they come from
_EVENT = ("at_ms", "card", "seat", "target", "verb")


def c_type(annotation: ast.expr | None) -> str | None:
    """The C type that an annotation means; None: any object."""
    name = annotation.id if isinstance(annotation, ast.Name) else None
    if isinstance(annotation, ast.Constant):
        name = annotation.value if isinstance(annotation.value, str) else None
    return name if name in CLASSES else C_TYPES.get(name or "")


def argument_type(argument: ast.arg) -> str | None:
    """An argument's C type; in a game `event` needs no annotation to be one. What moves are put into, `out`, may be a
    list or a row of numbers."""
    if argument.annotation is None:
        return {"event": "Event", "state": "State"}.get(argument.arg)
    kind = c_type(argument.annotation)
    return None if argument.arg == "out" and kind == "list" else kind


class Scope:
    """The names of one function: which of its locals are numbers."""

    def __init__(
        self,
        function: ast.FunctionDef,
        tables: set[str],
        returned: dict[str, str | None],
        own: dict[str, str],
        constants: Collection[str] = (),
    ) -> None:
        """tables: names of rows of numbers (`RANK`); returned: the C types that functions known by name return; own:
        the attributes of a method's object; constants: names of whole numbers that the module never changes."""
        self.own = own
        self.constants = constants
        self.tables = tables
        self.returned = returned
        self.arguments = {argument.arg: argument_type(argument) for argument in function.args.args}
        self.values: dict[str, list[ast.expr | None]] = {}  # None: a whole number
        self.others: set[str] = set(self.arguments)
        self._collect(function)
        self.locals = {name: "bytearray" for name in _BUFFERS if name in self.values and name not in self.others}
        self.numbers = set(self.values) - self.others - set(self.locals)
        while True:
            wrong = {name for name in self.numbers if not self._are_numbers(name)}
            if not wrong:
                break
            self.numbers -= wrong
        self.locals |= {name: NUMBER for name in self.numbers}
        self.locals |= {name: "bytearray" for name in self.values if self._is_own_row(name)}

    def _collect(self, function: ast.FunctionDef) -> None:
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, node.value)
            elif isinstance(node, (ast.AugAssign, ast.NamedExpr)):
                self._bind(node.target, node.value)
            elif isinstance(node, ast.AnnAssign):
                self._forget(node.target)
            elif isinstance(node, ast.For):
                is_range = isinstance(node.iter, ast.Call) and name_of(node.iter.func) == "range"
                is_number = is_range or name_of(node.target) in _NUMBERED
                self._bind(node.target, None) if is_number else self._forget(node.target)
            elif isinstance(node, ast.comprehension):
                self._forget(node.target)
            elif isinstance(node, (ast.Lambda, ast.GeneratorExp)):
                self._forget(node)

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)
        elif isinstance(target, ast.Tuple):
            for part in target.elts:  # of `cards[last], cards[other] = ...` no name is bound
                if not isinstance(part, (ast.Attribute, ast.Subscript)):
                    self._forget(part)

    def _forget(self, target: ast.AST) -> None:
        self.others |= {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}

    def _are_numbers(self, name: str) -> bool:
        return name in _NUMBERED or all(map(self._is_number, self.values[name]))

    def _is_table(self, row: ast.expr) -> bool:
        """Whether what stands in it are numbers."""
        is_own = isinstance(row, ast.Name) and row.id in self.values and self._is_own_row(row.id)
        return is_own or name_of(row) in self.tables

    def _is_own_row(self, name: str) -> bool:
        """Whether it is another name for a row of the method's object."""
        values = [value for value in self.values[name] if isinstance(value, ast.Attribute)]
        are_own = [name_of(value.value) == "self" and self.own.get(value.attr) == "bytearray" for value in values]
        return name not in self.others and all(are_own) and len(values) == len(self.values[name])

    def _is_number(self, value: ast.expr | None) -> bool:
        if value is None:
            return True
        if isinstance(value, ast.Constant):
            return isinstance(value.value, int)
        if isinstance(value, ast.Name):
            if value.id in self.values or value.id in self.arguments:
                return value.id in self.numbers or self.arguments.get(value.id) in NUMBERS
            return value.id in self.constants
        if isinstance(value, ast.BinOp):
            whole = not isinstance(value.op, (ast.Div, ast.Pow))
            return whole and self._is_number(value.left) and self._is_number(value.right)
        if isinstance(value, ast.UnaryOp):
            return isinstance(value.op, ast.Not) or self._is_number(value.operand)
        if isinstance(value, ast.BoolOp):
            return all(map(self._is_number, value.values))
        if isinstance(value, ast.IfExp):
            return self._is_number(value.body) and self._is_number(value.orelse)
        if isinstance(value, ast.Subscript):
            return not isinstance(value.slice, ast.Slice) and self._is_table(value.value)
        if isinstance(value, ast.Attribute):
            is_own = name_of(value.value) == "self" and self.own.get(value.attr) in NUMBERS
            return is_own or value.attr in _EVENT
        return isinstance(value, ast.Compare) or (isinstance(value, ast.Call) and self._is_number_call(value))

    def _is_number_call(self, call: ast.Call) -> bool:
        name = name_of(call.func)
        if name in ("min", "max"):
            return len(call.args) > 1 and all(map(self._is_number, call.args))
        if isinstance(call.func, ast.Attribute):
            found = name in ("find", "count") and name_of(call.func.value) in (*_BUFFERS, "raw")
            return found or self.returned.get(name) in NUMBERS
        return name == "len" or self.returned.get(name) in NUMBERS


def name_of(node: ast.expr) -> str:
    """The last name of `a`, `a.b`; an empty text for anything else."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def find_attributes(made: ast.ClassDef, returned: dict[str, str | None]) -> dict[str, str]:
    """The attributes that __init__ gives its object, with their C types."""
    [init] = [node for node in made.body if isinstance(node, ast.FunctionDef) and node.name == "__init__"]
    arguments = {argument.arg: argument_type(argument) for argument in init.args.args}
    found: dict[str, str] = {}
    for node in ast.walk(init):
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Attribute) and name_of(target.value) == "self":
                    kind = attribute_type(node.value, arguments, found, returned)
                    if found.setdefault(target.attr, kind) != kind:
                        found[target.attr] = "object"
    return found | {name: "bytearray" for name in COUNTED.get(made.name, ()) if name in found}


def attribute_type(value: ast.expr, arguments: dict, found: dict[str, str], returned: dict[str, str | None]) -> str:
    """The C type of what an attribute begins with."""
    if isinstance(value, ast.Constant) and isinstance(value.value, int):
        return "bint" if isinstance(value.value, bool) else NUMBER
    if isinstance(value, (ast.Dict, ast.List)):
        return type(value).__name__.lower()
    if isinstance(value, ast.BoolOp) and isinstance(value.values[-1], ast.Constant):
        return attribute_type(value.values[-1], arguments, found, returned)
    if isinstance(value, ast.Compare):
        return "bint"
    if isinstance(value, ast.Name):
        return arguments.get(value.id) or "object"
    if isinstance(value, ast.Attribute) and name_of(value.value) == "self":
        return found.get(value.attr, "object")
    if isinstance(value, ast.Attribute):
        return NUMBER if value.attr == "CARDS" else "object"
    if isinstance(value, ast.Call):
        name = name_of(value.func)
        if name in (*CLASSES, "bytearray", "bytes", "list"):
            return name
        return NUMBER if name == "len" else returned.get(name) or "object"
    return "list" if isinstance(value, ast.ListComp) else "object"
