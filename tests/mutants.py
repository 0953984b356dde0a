"""Small changes to source code that a good test should notice: the mutants of `tests.mutation`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

Function = ast.FunctionDef | ast.AsyncFunctionDef

COMPARED = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
"""Each operator, and the one that replaces it."""
COMPUTED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
CALLED = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """One change to the syntax tree of a module. It is not made before `apply`."""

    scope: str
    """The function or method, or the class; empty for a constant of the module."""
    lines: range
    """The lines of the statement that is changed."""
    holder: ast.AST
    field: str
    index: int | None
    """Where the old node stands: an attribute of the holder, or a part of a list there."""
    old: object
    new: object
    statement: ast.AST

    def apply(self) -> None:
        """Change the tree."""
        self._put(self.new)

    def describe(self) -> str:
        """Return the statement before and after, in one line each."""
        before = _first_line(self.statement)
        self._put(self.new)
        after = _first_line(self.statement) if self.statement is not self.old else _text_of(self.new)
        self._put(self.old)
        return f"{before}  →  {after}"

    def _put(self, node: object) -> None:
        if self.index is None:
            setattr(self.holder, self.field, node)
        elif node is None:
            del getattr(self.holder, self.field)[self.index]
        elif self.new is None:
            getattr(self.holder, self.field).insert(self.index, node)
        else:
            getattr(self.holder, self.field)[self.index] = node


def _text_of(node: object) -> str:
    return _first_line(node) if isinstance(node, ast.AST) else "(nothing)"


def _first_line(node: ast.AST) -> str:
    """Return the source of a statement; of one with a body, its head and the cases of a match."""
    text = ast.unparse(ast.fix_missing_locations(node))
    if isinstance(node, ast.Match):
        return " | ".join(
            line.strip() for line in text.splitlines() if line.startswith(("match", "    case"))
        )
    if isinstance(node, (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.FunctionDef, ast.ClassDef)):
        return next(line for line in text.splitlines() if not line.startswith("@"))
    return " ".join(text.split())


def mutants_of(tree: ast.Module) -> Iterator[Mutant]:
    """Yield every mutant of a module: those of its functions, and of its constants and default values."""
    for node in tree.body:
        yield from _of_definition(node, "")


def _of_definition(node: ast.stmt, scope: str) -> Iterator[Mutant]:
    if isinstance(node, Function):
        yield from _of_function(node, f"{scope}{node.name}")
    elif isinstance(node, ast.ClassDef):
        for part in node.body:
            yield from _of_definition(part, f"{scope}{node.name}.")
    elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if scope or (isinstance(target, ast.Name) and target.id.isupper()):
            yield from _within(node, "value", None, node.value, node, scope.rstrip("."))


def _of_function(function: Function, scope: str) -> Iterator[Mutant]:
    for field in ("defaults", "kw_defaults"):
        for index, default in enumerate(getattr(function.args, field)):
            if default is not None:
                yield from _within(function.args, field, index, default, function, scope)
    yield from _of_body(function, "body", scope)


def _of_body(holder: ast.AST, field: str, scope: str) -> Iterator[Mutant]:
    """Yield the mutants of some statements."""
    for index, statement in enumerate(getattr(holder, field)):
        if isinstance(statement, Function):  # a function in a function
            yield from _of_body(statement, "body", scope)
            continue
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue  # a docstring
        for new in _other_statements(statement):
            yield Mutant(scope, _lines(statement), holder, field, index, statement, new, statement)
        for name, value in ast.iter_fields(statement):
            if name in ("body", "orelse", "finalbody") and isinstance(value, list):
                yield from _of_body(statement, name, scope)
            elif name == "handlers":
                for handler in value:
                    yield from _of_body(handler, "body", scope)
            elif name == "cases":
                yield from _of_cases(statement, value, scope)
            elif name not in ("annotation", "targets", "target"):
                for at, part in _parts(value):
                    if isinstance(part, ast.AST):
                        yield from _within(statement, name, at, part, statement, scope)


def _parts(value: object) -> list[tuple[int | None, object]]:
    """Return the parts of a list with their indices; of anything else, the value without one."""
    return list(enumerate(value)) if isinstance(value, list) else [(None, value)]


def _of_cases(match: ast.stmt, cases: list[ast.match_case], scope: str) -> Iterator[Mutant]:
    for at, case in enumerate(cases):
        if len(cases) > 1:
            lines = range(match.lineno, (case.body[-1].end_lineno or 0) + 1)
            yield Mutant(scope, lines, match, "cases", at, case, None, match)
        if case.guard is not None:
            yield from _within(case, "guard", None, case.guard, match, scope)
        yield from _of_body(case, "body", scope)


def _other_statements(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield what may stand for a statement as a whole."""
    match statement:
        case ast.Expr() | ast.Raise() | ast.Delete():
            yield ast.Pass()
        case ast.Return(ast.expr() as value) if not _is_none(value):
            yield ast.Return(ast.Constant(None))
        case ast.Assign(targets, value) if not _is_none(value):
            yield ast.Assign(targets, ast.Constant(None), lineno=statement.lineno)
        case ast.AugAssign(target, op, value):
            yield ast.Assign([target], value, lineno=statement.lineno)
            if type(op) in COMPUTED:
                yield ast.AugAssign(target, COMPUTED[type(op)](), value)
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _within(
    holder: ast.AST, field: str, index: int | None, node: ast.AST, statement: ast.AST, scope: str
) -> Iterator[Mutant]:
    """Yield the mutants of an expression and of all its parts."""
    for new in _other_expressions(node, holder, field):
        yield Mutant(scope, _lines(statement), holder, field, index, node, new, statement)
    if isinstance(node, ast.comprehension):
        for at in range(len(node.ifs)):
            yield Mutant(
                scope, _lines(statement), node, "ifs", at, node.ifs[at], ast.Constant(True), statement
            )
    if isinstance(node, ast.Call):
        for at, keyword in enumerate(node.keywords):
            yield Mutant(scope, _lines(statement), node, "keywords", at, keyword, None, statement)
    for name, value in ast.iter_fields(node):
        if name == "annotation":
            continue
        for place, part in _parts(value):
            if isinstance(part, (ast.expr, ast.comprehension, ast.keyword, ast.Slice)):
                yield from _within(node, name, place, part, statement, scope)


def _other_expressions(node: ast.AST, holder: ast.AST, field: str) -> Iterator[ast.expr]:
    """Yield what may stand for an expression."""
    match node:
        case ast.Constant(bool() as value):
            yield ast.Constant(not value)
        case ast.Constant(int() as value):
            yield ast.Constant(value + 1)
        case ast.Constant(float() as value):
            yield ast.Constant(value * 2 if value else 1.0)
        case ast.Constant(str() as value):
            yield ast.Constant(f"XX{value}")
        case ast.Compare(left, [op], others):
            yield ast.Compare(left, [COMPARED[type(op)]()], others)
        case ast.Compare(left, ops, others):
            for at, op in enumerate(ops):
                yield ast.Compare(left, [*ops[:at], COMPARED[type(op)](), *ops[at + 1 :]], others)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield rest[0] if len(rest) == 1 else ast.BoolOp(op, rest)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.BinOp(left, op, right) if type(op) in COMPUTED:
            yield ast.BinOp(left, COMPUTED[type(op)](), right)
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Call(ast.Name(name), args, keywords) if name in CALLED:
            yield ast.Call(ast.Name(CALLED[name], ast.Load()), args, keywords)
        case ast.Slice(lower, upper, step):
            if lower is not None:
                yield ast.Slice(None, upper, step)
            if upper is not None:
                yield ast.Slice(lower, None, step)
        case ast.Lambda(arguments, _):
            yield ast.Lambda(arguments, ast.Constant(None))
    if isinstance(node, ast.expr):
        if field == "test" and not isinstance(holder, ast.IfExp) and not _has_opposite(node):
            yield ast.UnaryOp(ast.Not(), node)
        if isinstance(holder, ast.Call) and field == "args" and not _is_none(node):
            yield ast.Constant(None)


def _has_opposite(node: ast.expr) -> bool:
    """Whether another mutant says the opposite of a condition."""
    return isinstance(node, ast.UnaryOp) or (
        isinstance(node, ast.Compare)
        and len(node.ops) == 1
        and not isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE))
    )


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Starred) or (isinstance(node, ast.Constant) and node.value is None)


def _lines(statement: ast.AST) -> range:
    """Return the lines of a statement; of one with a body, those of its head."""
    first, last = statement.lineno, statement.end_lineno  # type: ignore[attr-defined]
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if isinstance(statement, Function):
        return range(first, last + 1)
    if isinstance(statement, ast.Match):
        return range(first, first + 1)
    if isinstance(body, list) and body:
        last = max(first, body[0].lineno - 1)
    return range(first, last + 1)
