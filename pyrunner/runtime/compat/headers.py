"""Inductor's precompiled headers: where it keeps them, and which of them are whole.

g++ writes such a header in place. One that is ended in the middle of it leaves a part, which Inductor would take for the
whole, and with which no kernel compiles. A file beside each header says that it was compiled to the end; one without it is
compiled anew. The headers that our g++ makes (pyrunner/compiler) get their names when they are whole."""

import os
import sys
import tempfile

_SAYS_SO = ".whole"
_MADE_BY_US = ".kept"
_PATIENCE = 600  # seconds; what torch waits for its own locks


def adding(shared, _, precompile):
    from torch._inductor import codecache

    def add_to(folder, temporary):
        linked = []
        # Where Inductor is imported in a child, it has taken the child's temporary folder for the zygote's.
        inside = os.path.relpath(shared, tempfile.gettempdir())
        kept = shared if inside.startswith("..") else os.path.join(temporary, inside)

        def with_links(*words, **more):
            if not linked:  # few runs compile kernels
                linked.append(True)
                _link(kept, folder)
            return precompile(*words, **more)

        codecache._HEADER_DIR = folder
        codecache._HEADER_LOCK_DIR = os.path.join(folder, "locks")
        codecache._precompile_header = with_links

    return add_to


def _link(shared, folder):
    os.makedirs(os.path.join(folder, "locks"))
    for name in os.listdir(shared) if os.path.isdir(shared) else ():
        file = os.path.join(shared, name)
        if name.endswith(".h") or name.endswith(".gch") and _is_whole(file):
            os.symlink(file, os.path.join(folder, name))


def _is_whole(file):
    return _MADE_BY_US in os.path.basename(file) or os.path.exists(os.path.realpath(file) + _SAYS_SO)


def making_whole(compile_missing, lock):
    """What makes Inductor compile anew what isn't whole. `compile_missing(lock's path, builders)`: torch's function, which
    takes what exists for whole."""
    def compile_whole(path, builders):
        headers = [file for builder in builders if (file := builder.get_target_file_path()).endswith(".gch")]
        if not headers:
            return compile_missing(path, builders)
        with lock(path + _SAYS_SO, timeout=_PATIENCE):
            for file in headers:
                if os.path.lexists(file) and not _is_whole(file):
                    os.remove(file)
            compile_missing(path, builders)
            for file in headers:
                if not _is_whole(file):
                    with open(file + _SAYS_SO, "w"):
                        pass

    def begin():
        codecache = sys.modules["torch._inductor.codecache"]
        codecache._worker_compile_cpp = compile_whole

    return begin
