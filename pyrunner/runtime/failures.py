"""Exceptions as records: core/observation.h, ExceptionRecord and Frame."""

import os
import re
import sys
import traceback

import torch

from .compat import compiler
from .compat.names import Lacks
from .compilers import dynamo
from .compilers.configurations import Refused
from .text import safe_text

_MOST_FRAMES = 64
_ROOT_FRAMES = 24  # frames of a wrapped exception, before those of the exception that wraps it
_MOST_ROOT_TEXT = 2048
_REPEATED = 80  # characters of a message that a wrapping exception repeats
_TELLING = 10
_OURS = os.path.dirname(os.path.abspath(__file__))
_OUR_BACKENDS = os.path.join(os.path.dirname(_OURS), "backends")
_LOOKING_UP = {"__getattr__", "__getattribute__", "__setattr__", "__delattr__"}
# Python's messages about a call whose arguments don't fit the signature of the function.
_MISCALLED = re.compile(r"\(\) (got (an unexpected|multiple values)|takes |missing \d+ required )")
_UNEXPECTED = re.compile(r"\(\) got an unexpected keyword argument '([^']*)'")
_LIBRARY = os.path.dirname(os.__file__)


def normal_file(path, program_file):
    """Stable names of files: "program", "site-packages/…", "lib/python/…", "<eval_with_key>", "<generated>", otherwise
    the file's name without its folder."""
    if path == program_file:
        return "program"
    if path.startswith("<eval_with_key>"):  # torch's graphs; torch appends where they were made
        return "<eval_with_key>"
    _, found, rest = path.rpartition("/site-packages/")
    if found:
        return "site-packages/" + rest
    if path.startswith(_LIBRARY):
        return "lib/python" + path[len(_LIBRARY) :]
    if "/inductor/" in path or "torchinductor_" in path:
        return "<generated>"
    return os.path.basename(path) or path


def frames_of(error, program_file):
    """The frames, innermost first, without those of the runtime."""
    frames = []
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if not code.co_filename.startswith(_OURS):
            file = normal_file(code.co_filename, program_file)
            frames.append({"file": file, "function": code.co_name, "line": step.tb_lineno or 0})
        step = step.tb_next
    frames.reverse()
    return frames[:_MOST_FRAMES]


def type_name(kind, program_module):
    """Exact type, "builtins.ValueError"; classes of the program are "program.NAME"."""
    module = getattr(kind, "__module__", "") or ""
    return ("program" if module == program_module else module) + "." + kind.__qualname__


def _behind(error):
    """The exception that caused this one or was being handled when it was raised, or None."""
    if error.__cause__ is not None:
        return error.__cause__
    if error.__context__ is not None and not error.__suppress_context__:
        return error.__context__
    return getattr(error, "inner_exception", None)


def chain(error):
    """The exception and those that it was raised from, nearest first."""
    found = []
    while isinstance(error, BaseException) and all(error is not other for other in found):
        found.append(error)
        error = _behind(error)
    return found


def _wraps(error, behind, explicit):
    """Whether an error of the compiler only wraps the exception it was raised from: it names its type or repeats its
    text."""
    if not compiler.is_own_error(error) or not isinstance(behind, Exception):
        return False
    message, said = safe_text(error), safe_text(behind).partition("\n")[0][:_REPEATED]
    named = type(behind).__name__ in message
    return (named and (explicit or said in message)) or (len(said) >= _TELLING and said in message)


def wrapped(error):
    """The innermost exception that the compiler's own exceptions only wrap ("InductorError: LoweringException: …"), or
    None. Torch hides such exceptions from tracebacks ("from None") but keeps them in `__context__`."""
    found, seen = None, []
    while error is not None and all(error is not other for other in seen):
        seen.append(error)
        explicit = error.__cause__ or getattr(error, "inner_exception", None)
        behind = explicit or error.__context__
        while compiler.carries_another(behind) and all(behind is not other for other in seen):
            seen.append(behind)
            explicit = behind.__cause__
            behind = explicit or behind.__context__
        if not _wraps(error, behind, explicit is not None):
            return found
        found = error = behind
    return found


def is_out_of_memory(error):
    """Whether the error, or what a compiler's error only wraps, says that a GPU has no memory left for this process."""
    return isinstance(error, torch.OutOfMemoryError) or isinstance(wrapped(error), torch.OutOfMemoryError)


def _with_root(root, frames):
    """The frames of an exception, preceded by those of the exception that it wraps."""
    if not root or (frames and frames[0] == root[0]):
        return frames
    return (root[:_ROOT_FRAMES] + frames)[:_MOST_FRAMES]


def _stage_of_file(file, stages):
    bare = file.removeprefix("site-packages/")
    fitting = [prefix for prefix in stages if bare.startswith(prefix)]
    return stages[max(fitting, key=len)] if fitting else None


def stage_of(frames, stages):
    """The stage of the innermost frame that has one; "" if a line of the program is further in."""
    for frame in frames:
        if frame["file"] == "program":
            return ""
        stage = _stage_of_file(frame["file"], stages)
        if stage is not None:
            return stage
    return ""


def _stage_behind(links, program_file, stages):
    """The stage of a compiler's error whose frames torch removed: from the exceptions that it was raised from, or from
    its module."""
    for link in links:
        stage = stage_of(frames_of(link, program_file), stages)
        if stage not in ("", "runtime"):
            return stage
    inductor = any(compiler.is_of_inductor(link) for link in links)
    return "inductor" if inductor else "dynamo"


def _of_the_compiler(error, frames):
    if compiler.is_own_error(error) or isinstance(error, Refused):
        return True
    return any(_compiles(frame) for frame in frames)


def _compiles(frame):
    # AOTAutograd's `forward` runs a graph that has been compiled, so it is not part of the compiler.
    return frame["function"] != "forward" and frame["file"].removeprefix("site-packages/") in dynamo.COMPILING


def _refusal(error, refusals):
    text, name = safe_text(error), type(error).__name__
    return any(part in name and message in text for part, message in refusals)


def _causes(links, root, program_module):
    """The types of the exceptions it was raised from; the wrapped one also with its text."""

    def told(link):
        kind = type_name(type(link), program_module)
        return f"{kind}: {safe_text(link)[:_MOST_ROOT_TEXT]}" if link is root else kind

    behind = links[1:]
    if root is not None and all(link is not root for link in behind):
        behind = [*behind, root]
    return [told(link) for link in behind]


def record(error, program_file, program_module, backend=None):
    """The ExceptionRecord. `backend` (compilers.registry.Backend) gives stages and refusals; None for an eager run."""
    links = chain(error)
    frames = next((found for link in links if (found := frames_of(link, program_file))), [])
    compiling = backend is not None and any(_of_the_compiler(link, frames_of(link, program_file)) for link in links)
    stage = stage_of(frames, backend.stages) if backend is not None else ""
    if compiling and stage in ("", "runtime"):
        stage = _stage_behind(links, program_file, backend.stages)
    root = wrapped(error) if backend is not None else None
    if root is not None:
        frames = _with_root(frames_of(root, program_file), frames)
    return {
        "type": type_name(type(error), program_module),
        "bases": [type_name(base, program_module) for base in type(error).__mro__[1:]],
        "message": safe_text(error),
        "frames": frames,
        "stage": stage,
        "while_compiling": compiling,
        "expected_refusal": backend is not None and any(_refusal(link, backend.refusals) for link in links),
        "causes": _causes(links, root, program_module),
    }


class Broken(BaseException):
    """The runtime can't do its work on this torch; the text is a sentence that names what is missing."""


_CALLERS = set()


def calls_others(function):
    """Marks a function of the runtime that only calls code of the program or of a backend: arguments that don't fit the
    called function are then not the runtime's fault."""
    _CALLERS.add((function.__code__.co_filename, function.__name__))
    return function


def miscalled(error):
    """Whether the function that a marked function called does not accept the arguments."""
    frame = _innermost(error)
    return frame is not None and (frame[0], frame[2]) in _CALLERS and _says_miscalled(error)


def refused_option(error, options):
    """Whether Python reports that one of these names is no keyword of the called function."""
    named = _UNEXPECTED.search(safe_text(error)) if isinstance(error, TypeError) else None
    return named is not None and named[1] in options


def broken(error):
    """A sentence if a name or a signature that the runtime relies on is missing; None for exceptions of the program or
    of the compiler. The innermost frame decides: an exception inside code that the runtime calls has frames of that
    code."""
    for link in _links_said(error):
        if isinstance(link, Lacks):
            return str(link)
        frame = _innermost(link)
        if frame is not None and _of_ours(frame[0]) and _says_missing(link) and not miscalled(link):
            return broken_sentence(link)
    return None


def broken_sentence(error):
    """One sentence about the exception with which the runtime failed."""
    frames = [frame for frame in _steps(error) if _of_ours(frame[0])]
    if not frames:
        return first_line(error)
    file, line, function = frames[-1]
    return f"{first_line(error)} ({os.path.relpath(file, os.path.dirname(_OURS))}, line {line}, in {function})"


def _links_said(error):
    """The error and the exceptions that it was explicitly raised from; for the compiler's own wrappers also the
    implicit ones."""
    found = []
    while isinstance(error, BaseException) and all(error is not other for other in found):
        found.append(error)
        wraps = compiler.is_own_error(error)
        behind = error.__cause__ or getattr(error, "inner_exception", None)
        error = behind or (error.__context__ if wraps else None)
    return found


def _says_miscalled(error):
    return isinstance(error, TypeError) and _MISCALLED.search(safe_text(error)) is not None


def _says_missing(error):
    return _says_miscalled(error) or isinstance(error, (AttributeError, ImportError, NameError))


def _steps(error):
    """(file, line, function) of the frames, outermost first."""
    step = error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        yield code.co_filename, step.tb_lineno or 0, code.co_name
        step = step.tb_next


def _innermost(error):
    """The innermost frame, ignoring frames in which libraries look up a name or import a module."""
    frames = list(_steps(error))
    while frames and (frames[-1][2] in _LOOKING_UP or "importlib" in frames[-1][0]):
        if not frames[-1][0].startswith("<frozen importlib") and "site-packages" not in frames[-1][0]:
            break
        frames.pop()
    return frames[-1] if frames else None


def _of_ours(file):
    return file.startswith((_OURS + os.sep, _OUR_BACKENDS + os.sep))


def program_line(error, program_file):
    """The line at which the exception left the program's innermost frame; 0 if no frame is the program's."""
    line = 0
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == program_file:
            line = step.tb_lineno or 0
        step = step.tb_next
    return line


def first_line(error):
    """The exception as "ValueError: text", for use in a sentence."""
    return "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1][:500]


def forget(error):
    """Drops the frames, because they hold tensors of the run."""
    for link in chain(error):
        link.__traceback__ = None
    if hasattr(sys, "last_value"):
        sys.last_value = None
