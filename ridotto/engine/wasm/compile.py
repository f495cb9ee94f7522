"""Makes modules of WebAssembly from the compiled functions of a build.

Numba translates a function into the language of LLVM, here without optimizing it for any machine; LLVM optimizes it for
WebAssembly, and its linker, out of PyPI's `ziglang`, makes the module. Sizes of Numba are 64 bits wide and WebAssembly's
pointers 32, which goes together: an array is seven numbers in either. Nothing is imported: `runtime.ll` has the functions
that compiled code expects around it.

A module has the functions that were called while it was recorded, from Python, with the kinds of arguments of these calls.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

from ridotto.engine import build as builds
from ridotto.engine.errors import NoModule
from ridotto.engine.wasm.arrays import CODES

numba: Any = import_module("numba")
types: Any = numba.types
llvm: Any = import_module("llvmlite.binding")
SETTINGS: Final = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
"""The environment for making a module, so that its bytes depend on sources and versions alone."""
TRIPLE: Final = "wasm32-unknown-unknown"
FEATURES: Final = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""Browsers have all of these since 2021 (Safari since 2023)."""
INLINING: Final = 25
"""The size up to which a function is inlined, as LLVM counts; with its usual 225, modules are almost twice as large and a tenth
faster: they have the rules once for each of their functions."""
STACK: Final = 1 << 20
"""The bytes of the stack; below it is nothing, so that a stack that is too small ends the call."""


class Entry(NamedTuple):
    """A function with the kinds of its arguments: the module's name, the function's, and the types as Numba has them."""

    module: str
    function: str
    types: tuple[Any, ...]


class Recording:
    """The functions that Python calls in a build, in order of the first call."""

    def __init__(self, package: str) -> None:
        """Load the build; nothing else in this process may have loaded it before."""
        self._dispatchers: dict[tuple[str, str], Any] = {}
        self.entries: dict[Entry, None] = {}
        usual, builds._compiler = builds._compiler, lambda cache, package: self._compiled
        try:
            self.build = builds.load(package, "cpu")
        finally:
            builds._compiler = usual
        self.package = package

    def _compiled(self, function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True)(function)
        recording, key = self, (function.__module__.partition("@")[0], function.__name__)

        class Recorded(type(dispatcher)):  # type: ignore[misc]
            def __call__(self, *arguments: Any) -> Any:
                recording.entries[Entry(*key, tuple(_type(one) for one in arguments))] = None
                return super().__call__(*arguments)

        dispatcher.__class__ = Recorded
        self._dispatchers[key] = dispatcher
        return dispatcher

    def module(self) -> bytes:
        """A module of WebAssembly with the recorded functions."""
        exports = [self._export(entry) for entry in sorted(self.entries, key=str)]
        return _linked({export.name: export for export in exports}.values())

    def _export(self, entry: Entry) -> Export:
        dispatcher = self._dispatchers[entry.module, entry.function]
        given = tuple(types.Omitted(None) if one is None else one for one in entry.types)
        count = len(dispatcher.py_func.__code__.co_varnames[: dispatcher.py_func.__code__.co_argcount])
        defaults = dispatcher.py_func.__defaults__ or ()
        missing = tuple(types.Omitted(one) for one in defaults[len(defaults) - (count - len(given)) :])
        dispatcher.compile(given + (missing if count > len(given) else ()))
        made = dispatcher.overloads[given + (missing if count > len(given) else ())]
        kinds = "".join(_kind(one) for one in given)
        result = made.signature.return_type
        layout = re.sub(r"\w+\*", "ptr", str(made.target_context.data_model_manager[result].get_return_type()))
        name = f"{entry.module}.{entry.function}:{kinds}>{_result_kind(result)}"
        is_signed = isinstance(result, types.Integer) and result.signed
        return Export(name, made.fndesc.llvm_func_name, made.library.get_llvm_str(), layout, is_signed)


class Export(NamedTuple):
    """A function of a module: its name there, that of Numba's function, and the code of it."""

    name: str
    symbol: str
    code: str
    layout: str
    """Its result in the language of LLVM."""
    is_signed: bool
    """Whether the result is a number that may be below zero."""


# Types.


def _type(value: Any) -> Any:
    """The type of an argument, where all whole numbers are alike, and all others; None for None."""
    if value is None:
        return None
    return _plain(numba.typeof(value))


def _plain(one: Any) -> Any:
    if isinstance(one, types.Integer | types.Boolean):
        return types.int64
    if isinstance(one, types.Float):
        return types.float64
    if isinstance(one, types.Array):
        return types.Array(one.dtype, one.ndim, "C")
    if isinstance(one, types.BaseNamedTuple):
        return types.NamedTuple([_plain(part) for part in one.types], one.instance_class)
    if isinstance(one, types.BaseTuple):
        return types.Tuple([_plain(part) for part in one.types])
    if isinstance(one, types.NoneType):
        return types.none
    raise NoModule(f"an argument of the type {one} cannot go into a module of WebAssembly")


def _kind(one: Any) -> str:
    """The kinds of an argument, as `ridotto.engine.wasm.arrays.flat` has them."""
    if isinstance(one, types.Array):
        return f"{CODES[str(one.dtype)]}{one.ndim}"
    if isinstance(one, types.BaseTuple):
        return "".join(map(_kind, one.types))
    if isinstance(one, types.Float):
        return "f"
    return "i" if isinstance(one, types.Integer) else ""


def _result_kind(one: Any) -> str:
    if isinstance(one, types.BaseTuple):
        name = one.instance_class.__name__ if isinstance(one, types.BaseNamedTuple) else ""
        return f"{name}({_kind(one)})"
    return "b" if isinstance(one, types.Boolean) else _kind(one)


# The module.


def _linked(exports: Sequence[Export] | Any) -> bytes:
    """Link the code of all exports, and optimize it."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    whole = llvm.parse_assembly(Path(__file__).with_name("runtime.ll").read_text("utf-8"))
    entries = []
    for export in exports:
        whole.link_in(llvm.parse_assembly(export.code))
        entries.append(_entry(export, whole.get_function(export.symbol)))
    names = [export.name for export in exports]
    own = {"reserve", "clear", "release"}
    for function in whole.functions:
        if not function.is_declaration and function.name not in (*own, "__multi3"):
            function.linkage = "internal"
    text = str(whole) + "\n".join(entries)
    text = re.sub(r'"target-(?:cpu|features)"="[^"]*"', "", text)
    text = re.sub(r"target (?:triple|datalayout) = .*\n", "", text).replace(" = common ", " = internal ")
    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    tuning = llvm.create_pipeline_tuning_options(speed_level=2)
    tuning.inlining_threshold = INLINING
    builder = llvm.create_pass_builder(machine, tuning)
    passes.run(module, builder)
    builder.getModulePassManager().run(module, builder)
    module.verify()
    return _link(machine.emit_object(module), [*names, *sorted(own)])


def _entry(export: Export, function: Any) -> str:
    """A function that takes the arguments of another one from a block, and puts the result there."""
    lines = []
    arguments = []
    for at, argument in enumerate(list(function.arguments)[2:]):
        kind = str(argument.type)
        lines += [f"%p{at} = getelementptr i64, ptr %block, i32 {at}", f"%a{at} = load {kind}, ptr %p{at}"]
        arguments.append(f"{kind} %a{at}")
    lines += [f"%result = alloca {export.layout}", "%error = alloca ptr"]
    lines += [f"%status = call i32 @{_quoted(export.symbol)}({', '.join(['ptr %result', 'ptr %error', *arguments])})"]
    if not export.name.endswith(">"):
        lines += [f"%r = load {export.layout}, ptr %result", *_stores(export)]
    body = "\n  ".join(lines)
    return f"\ndefine i32 @{_quoted(export.name)}(ptr %block) {{\n  {body}\n  ret i32 %status\n}}\n"


def _quoted(name: str) -> str:
    return f'"{name}"'


def _stores(export: Export) -> list[str]:
    """Instructions that write a result into the block, each number of it as a word."""
    lines = []
    for at, (path, kind) in enumerate(_leaves(export.layout)):
        value = "%r"
        if path:
            lines.append(f"%v{at} = extractvalue {export.layout} %r, {', '.join(map(str, path))}")
            value = f"%v{at}"
        lines.append(f"%q{at} = getelementptr i64, ptr %block, i32 {at}")
        if kind == "ptr":
            lines += [f"%w{at} = ptrtoint ptr {value} to i64", f"store i64 %w{at}, ptr %q{at}"]
        elif kind in ("i64", "double"):
            lines.append(f"store {kind} {value}, ptr %q{at}")
        elif kind == "float":
            lines += [f"%w{at} = fpext float {value} to double", f"store double %w{at}, ptr %q{at}"]
        else:
            extend = "sext" if export.is_signed else "zext"
            lines += [f"%w{at} = {extend} {kind} {value} to i64", f"store i64 %w{at}, ptr %q{at}"]
    return lines


def _leaves(layout: str) -> list[tuple[tuple[int, ...], str]]:
    """The numbers of a type in the language of LLVM, each with its way through the structures.

    >>> _leaves("{ptr, [2 x i64]}"), _leaves("i16")
    ([((0,), 'ptr'), ((1, 0), 'i64'), ((1, 1), 'i64')], [((), 'i16')])
    """
    layout = layout.strip()
    if layout[0] == "[":
        number, _, part = layout[1:-1].partition(" x ")
        return [((at, *path), kind) for at in range(int(number)) for path, kind in _leaves(part)]
    if layout[0] != "{":
        return [((), layout)]
    parts, depth, begin = [], 0, 1
    for at, letter in enumerate(layout):
        depth += (letter in "{[") - (letter in "}]")
        if (letter == "," and depth == 1) or at == len(layout) - 1:
            parts.append(layout[begin:at])
            begin = at + 1
    return [((at, *path), kind) for at, part in enumerate(parts) for path, kind in _leaves(part)]


def _link(code: bytes, exports: Sequence[str]) -> bytes:
    """The module from an object file."""
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / "module.o", Path(folder) / "module.wasm"
        before.write_bytes(code)
        options = ["--no-entry", "--strip-all", "--gc-sections", "--stack-first", "-z", f"stack-size={STACK}"]
        options += [f"--export={name}" for name in exports]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, "-o", str(after), str(before)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = done.stderr.strip().splitlines() or ["without a word"]
            raise NoModule(f"the linker failed: {reason[0]} (is ziglang installed? pip install 'ridotto[tab]')")
        return after.read_bytes()
