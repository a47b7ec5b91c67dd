"""Real Python functions as program files: from the installed sources of the standard library and of torch.

Each program is one function as its file has it, without decorators, the names that it needs imported from its module, and
arguments out of a pool with which it ends normally. The same seed gives the same programs.

    functions.py [COUNT] [SEED]        prints what was found, by module, and one program
"""

import __future__
import ast
import builtins
import collections
import contextlib
import copy
import importlib
import inspect
import random
import signal
import sys
import textwrap
import types
import warnings

STANDARD = """
    base64 bisect calendar code colorsys contextlib copy csv difflib dis fnmatch fractions functools genericpath gettext
    graphlib hashlib heapq html html.entities html.parser ipaddress json.decoder json.encoder keyword locale ntpath
    nturl2path numbers opcode operator optparse pickletools posixpath pprint quopri random re reprlib shlex sre_parse
    stat statistics string stringprep struct textwrap token types typing urllib.parse weakref xml.sax.saxutils
    _collections_abc _markupbase _pydatetime _pydecimal _strptime email._parseaddr email.base64mime email.quoprimime
    email.utils encodings.idna encodings.punycode http.cookies wsgiref.util collections enum abc ast inspect dataclasses
""".split()
TORCH = """
    torch._prims_common torch._refs torch._refs.fft torch._refs.linalg torch._refs.nn.functional torch._refs.special
    torch._refs._conversions torch._decomp.decompositions torch._decomp.decompositions_for_rng torch._linalg_utils
    torch.nn.functional torch.functional torch.nn.init torch.nn.modules.utils torch.nn.utils.clip_grad
    torch.nn.utils.convert_parameters torch.nn.utils.fusion torch.distributions.utils torch.utils._pytree
    torch._utils torch._tensor_str torch.nn.utils.rnn torch._lowrank torch._lobpcg torch.nn.grad torch._jit_internal
    torch.ao.quantization.utils torch.fx.operator_schemas torch.signal.windows.windows
    torch.autograd.function torch.utils.data._utils.collate torch._vmap_internals torch.optim.lr_scheduler
    torch.testing._comparison torch.sparse.semi_structured torch.utils._content_store torch.quasirandom
    torch.nested._internal.ops torch.onnx._constants torch.package._mangling torch._torch_docs
""".split()

# A function that mentions these needs more than itself, reaches out of the process, or shows memory that nobody wrote.
SHUT = set("super __class__ globals exec eval open close input exit unlink remove rename mkdir system kill write empty "
           "empty_like empty_strided new_empty new_empty_strided resize resize_ resize_as_".split())
# What says another thing each time (a module's own cache holds what others asked), or counts the frames around it.
CHANGING = {"time", "random", "getpid", "randrange", "getrandbits", "urandom", "now", "monotonic", "perf_counter", "_cache",
            "_caller"}
AVOIDED = ("register", "_register", "deregister", "set_", "_set_", "print", "_print", "main", "_main", "open", "interact",
           "input", "remove", "unlink", "mkdir", "rename", "exec", "run", "install", "_install", "init_", "_init_")
PLAIN = [
    "'abc'", "'a/b/../c.txt'", "'Hello, wide world'", "''", "'x=1; y=2'", "'AbC%20d'", "'*.py'", "'a'", "'utf-8'",
    "b'abc'", "b'=41 x'", "0", "1", "2", "3", "7", "12", "-1", "2.5", "0.25", "True", "False", "None", "[3, 1, 2]",
    "[1.0, 2.0, 4.0]", "['b', 'a']", "[]", "(1, 2)", "(2, 3)", "('a', 'b')", "{'a': 1, 'b': [2]}", "[[1, 2], [3, 4]]",
    "[1, 1, 2, 3, 5, 8]", "{3, 4}", "range(5)", "str", "len",
]
TENSORS = [
    "torch.arange(6.0).reshape(2, 3)", "torch.linspace(-1, 1, 5)", "torch.tensor([1, 0, 2])", "torch.ones(2, 3)",
    "torch.arange(12.0).reshape(3, 4) / 7", "torch.tensor([True, False, True])", "torch.tensor(2.5)",
    "torch.arange(24.0).reshape(1, 2, 3, 4)", "torch.eye(3)", "torch.full((2, 3), 0.5)", "torch.tensor([[4, 1], [2, 8]])",
]
SCALARS = [
    "0", "1", "-1", "2", "0.5", "True", "False", "None", "(2, 3)", "(0, 1)", "[2, 3]", "(1,)", "torch.float32",
    "torch.float64", "'mean'", "'sum'", "'none'",
]
HINTS = {
    "dim": ["0", "-1", "1"],
    "dims": ["(0,)", "(0, 1)", "0"],
    "dtype": ["torch.float32", "torch.float64", "None"],
    "shape": ["(2, 3)", "(3,)", "(1, 2, 3)"],
    "size": ["(2, 3)", "(3,)"],
    "reduction": ["'mean'", "'sum'", "1", "0"],
    "alpha": ["1", "2"],
}
MOST_TRIES = 16
SECONDS = 0.3


class TooLong(BaseException):
    """Not of Exception: a function may catch those."""


@contextlib.contextmanager
def limited(seconds):
    """Raises TooLong in what takes more of the processor, or much longer, again and again in case something catches it. How
    busy the machine is must not decide which functions are taken."""

    def stop(*_):
        raise TooLong

    timers = ((signal.ITIMER_VIRTUAL, signal.SIGVTALRM, seconds), (signal.ITIMER_REAL, signal.SIGALRM, 2 * seconds + 10))
    old = [signal.signal(number, stop) for _, number, _ in timers]
    for timer, _, limit in timers:
        signal.setitimer(timer, limit, limit)
    try:
        yield
    finally:
        for (timer, number, _), former in zip(timers, old):
            signal.setitimer(timer, 0)
            signal.signal(number, former)


def functions(names):
    """(module, function) of the modules that can be imported, in a fixed order, each function once."""
    seen = set()
    for name in names:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                module = importlib.import_module(name)
        except Exception:  # another version of Python or torch
            continue
        for label, item in sorted(vars(module).items()):
            item = inspect.unwrap(item) if callable(item) else item
            if not isinstance(item, types.FunctionType) or item.__module__ != name or item.__code__ in seen:
                continue
            if label.startswith(AVOIDED) or label.startswith("__"):
                continue
            # Two runs within a clock's tick would look alike.
            if CHANGING.intersection(item.__code__.co_names):
                continue
            seen.add(item.__code__)
            yield module, item


def definition(function):
    """The function's text without decorators, and its node; or nothing when it can't stand alone."""
    try:
        text = textwrap.dedent(inspect.getsource(function))
        node = ast.parse(text).body[0]
    except (OSError, SyntaxError, TypeError, IndexError):
        return None
    if not isinstance(node, ast.FunctionDef) or function.__code__.co_freevars:
        return None
    inside = list(ast.walk(node))
    if any(isinstance(one, ast.ImportFrom) and one.level for one in inside):
        return None
    if any(getattr(one, "id", getattr(one, "attr", "")) in SHUT for one in inside):
        return None
    lines = text.splitlines(True)
    return "".join(lines[node.lineno - 1 : node.end_lineno]), node


def imports(function, node):
    """Lines that give the function its globals, or None when one of them can't be imported."""
    lines = []
    if function.__code__.co_flags & __future__.annotations.compiler_flag:
        lines.append("from __future__ import annotations\n")
    names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
    others = []
    for name in sorted(names):
        if name not in function.__globals__ or name == node.name:
            continue
        value = function.__globals__[name]
        if name.startswith("__"):
            return None
        if isinstance(value, types.ModuleType) and value.__name__ == "torch":
            lines.append("import torch\n" if name == "torch" else f"import torch as {name}\n")
        else:
            others.append(name)
    if others:
        lines.append(f"from {function.__module__} import {', '.join(others)}\n")
    return lines


def candidates_for(name, wants_tensors, rng):
    if wants_tensors:
        if name in HINTS and rng.random() < 0.8:
            return rng.choice(HINTS[name])
        return rng.choice(TENSORS if rng.random() < 0.6 else SCALARS)
    return rng.choice(PLAIN)


def drawn_arguments(function, wants_tensors, rng):
    texts = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY and parameter.default is parameter.empty:
            return None
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD, parameter.VAR_POSITIONAL):
            continue
        optional = parameter.default is not parameter.empty or parameter.kind is parameter.VAR_POSITIONAL
        if optional and rng.random() < 0.7:
            break
        texts.append(candidates_for(parameter.name, wants_tensors, rng))
    return texts


def ends(function, texts):
    """Whether the call ends in time and gives something."""
    import torch

    values = eval(f"[{', '.join(texts)}]", {"torch": torch})
    try:
        with warnings.catch_warnings(), limited(SECONDS):
            warnings.simplefilter("ignore")
            function(*copy.deepcopy(values))
        return True
    except BaseException:
        return False


def undecorated(module, text, heading, node):
    """The function as the program will define it."""
    scope = {"__name__": module.__name__, "__builtins__": builtins}
    try:
        exec(compile("".join(heading) + text, "<function>", "exec", dont_inherit=True), scope)
    except Exception:  # an annotation or a default that needs more
        return None
    return scope[node.name]


def program_of(module, function, wants_tensors, rng):
    """The text of a program, or None."""
    found = definition(function)
    heading = found and imports(function, found[1])
    if not found or heading is None:
        return None
    text, node = found
    alone = undecorated(module, text, heading, node)
    if alone is None:
        return None
    for _ in range(MOST_TRIES):
        texts = drawn_arguments(alone, wants_tensors, rng)
        if texts is None:
            return None
        if not ends(alone, texts):
            continue
        if any("torch." in one for one in texts) and "import torch\n" not in heading:
            at = 1 if heading and "__future__" in heading[0] else 0
            heading.insert(at, "import torch\n")
        values = ", ".join(texts) + ("," if len(texts) == 1 else "")
        names = [one for one in ast.walk(node) if isinstance(one, ast.Name) and one.id == node.name]
        if names or node.name in ("make_inputs", "before_call", "observe"):
            entry = f"\n\nprogram = {node.name}\n"
        else:
            text = text.replace(f"def {node.name}", "def program", 1)
            entry = ""
        return f"{''.join(heading)}\n\ndef make_inputs():\n    return ({values})\n\n\n{text.rstrip()}\n{entry}"
    return None


def collect(count, seed, steady):
    """[(name, source)]: `count` programs, half of them of torch where there are so many. `steady(source)`: the program runs
    and gives the same twice."""
    found = []
    for names, wants_tensors, share in ((TORCH, True, count // 2), (STANDARD, False, count)):
        rng = random.Random(f"{seed} {wants_tensors}")
        pool = list(functions(names))
        rng.shuffle(pool)
        for module, function in pool:
            if len(found) >= share:
                break
            source = program_of(module, function, wants_tensors, rng)
            if source and steady(source):
                found.append((f"{module.__name__}.{function.__name__}", source))
    return found


def main():
    import pathlib
    import tempfile
    import time

    import properties

    properties.state.take_baseline()
    count, seed = (int(word) for word in (sys.argv[1:] + ["200", "1"][len(sys.argv) - 1 :])[:2])
    with tempfile.TemporaryDirectory() as folder:
        begin = time.time()
        found = collect(count, seed, properties.Eager(pathlib.Path(folder)).steady)
    modules = collections.Counter(name.rpartition(".")[0] for name, _ in found)
    print(found[-1][1])
    print(f"{len(found)} functions of {len(modules)} modules in {time.time() - begin:.1f} s:", dict(modules))


if __name__ == "__main__":
    main()
