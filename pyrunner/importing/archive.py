"""A torch.export archive (.pt2) as an Original, on its example inputs, or drawn ones where it has none."""

import pathlib
import zipfile

import torch

from harvest import check

from . import CannotImport, Original
from .draw import drawn


def _example(program, seed):
    """(args, kwargs)."""
    if program.example_inputs is not None:
        return program.example_inputs
    generator = torch.Generator().manual_seed(seed)
    wanted = set(program.graph_signature.user_inputs)
    found = []
    for node in program.graph.nodes:
        if node.op != "placeholder" or node.name not in wanted:
            continue
        shown = node.meta.get("val")
        if not isinstance(shown, torch.Tensor):
            raise CannotImport("it has no example inputs, and takes something else than tensors")
        shape = [size if type(size) is int else size.node.hint or 2 for size in shown.shape]
        found.append(drawn(shape, shown.dtype, generator))
    return tuple(found), {}


def original(path, options):
    """Raises CannotImport."""
    if not zipfile.is_zipfile(path):
        raise CannotImport("it is no torch.export archive: no zip file, or cut short")
    try:
        program = torch.export.load(path)
        args, kwargs = _example(program, options.seed)
        module = program.module()
    except CannotImport:
        raise
    except Exception as error:
        raise CannotImport(f"torch {torch.__version__} can't read it as a torch.export archive: {check.short(error)}") from None
    names, count = list(kwargs), len(args)
    return Original(title=f"{pathlib.Path(path).name}, a torch.export archive, as a straight line.",
                    run=lambda *given: module(*given[:count], **dict(zip(names, given[count:]))),
                    args=(*args, *kwargs.values()))
