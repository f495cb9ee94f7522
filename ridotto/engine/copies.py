"""Copies of source files, as modules of their own.

One file can be loaded several times: the driver once for each game, the rules once interpreted and once compiled. Each copy
is a module named after its file and its build, such as ``ridotto.engine.driver@GAME-cpu``, and Python's import system
finds it like any other, through the finder and the loader below. When a copy is loaded, its import statements are changed to
name the other copies of the same build; nothing else differs from the file.

Copies are needed because Numba decides at compile time what a function calls. A function that takes another compiled
function as an argument is not cached between processes; one that calls names of its own module is. So the driver has to be
a module that imports the rules of one game.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, resolve_name, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any


def source(name: str) -> Path | None:
    """The source file of a module, by its full name; None if there is no such module."""
    try:
        spec = find_spec(name)
    except ModuleNotFoundError:  # what stands before the last dot is a module, not a package
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


class Copies:
    """The copies that belong to one build, by the full names of the modules they are copies of."""

    def __init__(self, tag: str, package: str | None = None) -> None:
        self.tag = tag
        self._package = package
        """A package all of whose modules are copied."""
        self._names: dict[str, str] = {}
        _COPIES[tag] = self

    def add(self, *names: str) -> None:
        """Copy these modules too, wherever a copy imports them."""
        self._names |= {name: f"{name}@{self.tag}" for name in names}

    def replace(self, name: str, other: str) -> None:
        """Let copies that import `name` get the module `other` instead, or its copy if `other` is copied."""
        self._names[name] = self.name(other) or other

    def put(self, name: str, module: ModuleType) -> None:
        """Let copies that import `name` get this module instead."""
        self.add(name)
        sys.modules[self._names[name]] = module

    def name(self, name: str) -> str | None:
        """The name of a module's copy in this build; None if it is not copied."""
        if self._package is not None and name.startswith(f"{self._package}.") and source(name):
            return f"{name}@{self.tag}"
        return self._names.get(name)

    def load(self, name: str) -> ModuleType:
        """A module as this build has it: the copy, or the module itself."""
        return import_module(self.name(name) or name)


_COPIES: dict[str, Copies] = {}
"""Every build's copies, by its tag."""


class _Finder(MetaPathFinder):
    """Finds copies: before the @ is the name of the module, after it the tag of the build."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        name, _, tag = fullname.rpartition("@")
        if tag not in _COPIES or (file := source(name)) is None:
            return None
        return spec_from_file_location(fullname, file, loader=_Loader(fullname, file, _COPIES[tag]))


class _Loader(SourceLoader):
    """Loads a file with its imports changed. Bytecode is neither read nor written: it would be that of the module itself."""

    def __init__(self, fullname: str, file: Path, copies: Copies) -> None:
        self._fullname, self._file, self._copies = fullname, file, copies

    def get_filename(self, fullname: str) -> str:
        return str(self._file)

    def get_data(self, path: str | bytes) -> bytes:
        return self._file.read_bytes()

    def source_to_code(self, data: bytes, path: str, *_: object) -> CodeType:  # type: ignore[override]
        tree = ast.parse(data, path)
        name = self._fullname.rpartition("@")[0]
        package = name if self._file.name == "__init__.py" else name.rpartition(".")[0]
        changed = _Imports(package, self._copies).visit(tree)
        return compile(changed, path, "exec", dont_inherit=True)


class _Imports(ast.NodeTransformer):
    """Changes import statements, so that they name the copies of a build."""

    def __init__(self, package: str, copies: Copies) -> None:
        self._package, self._copies = package, copies

    def visit(self, node: ast.AST) -> Any:
        """No statement is inside an expression: most of a file need not be looked at."""
        return node if isinstance(node, ast.expr) else super().visit(node)

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if name := self._copies.name(alias.name):
                if alias.asname is None:
                    last = alias.name.rpartition(".")[2]
                    raise ImportError(f"{alias.name} is loaded once for each build: write `import {alias.name} as {last}`")
                alias.name = name
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        """`from package.module import name`, or `from package import module`, with several at once."""
        module = resolve_name("." * node.level + (node.module or ""), self._package)
        imports: list[ast.stmt] = []
        others = []
        for alias in node.names:
            if name := self._copies.name(f"{module}.{alias.name}"):
                here = ast.copy_location(ast.alias(name, alias.asname or alias.name), alias)
                imports.append(ast.copy_location(ast.Import([here]), node))
            else:
                others.append(alias)
        if others:
            imports.append(ast.copy_location(ast.ImportFrom(self._copies.name(module) or module, others, 0), node))
        return imports


sys.meta_path.append(_Finder())
