"""Places that a program changes when it patches torch or Python, and which of them are put back after a run."""

import builtins
import os
import sys
import warnings

import torch

from ..compat import compiler

# Only callables are compared.
PATCHABLE = (builtins, torch, torch.Tensor, torch.nn.functional, torch.nn.Module, torch.autograd.Function)
# Of other modules these names alone are put back.
_NAMES = {
    os: {"environ"},
    sys: {"displayhook", "excepthook", "modules", "path", "stderr", "stdin", "stdout"},
    warnings: {"filters", "showwarning"},
}


def configurations():
    """The configurations of the compiler whose entries are put back."""
    found = [compiler.compiler_config, compiler.functorch_config, compiler.symbolic_shapes_config]
    if compiler.imported():
        found += [compiler.dynamo_config, compiler.inductor_config]
    return [configuration for configuration in found if configuration is not None]


def is_put_back(path):
    """Whether a change of what has this path, ("torch", "nn", "Linear", "forward"), is undone after a run."""
    place = sys.modules.get(path[0])
    for name in path[1:-1]:
        place = getattr(place, "__dict__", {}).get(name)  # asking torch for a part that isn't there would import it
    known = [*PATCHABLE, *configurations()]
    return any(place is one for one in known) or any(place is one and path[-1] in _NAMES[one] for one in _NAMES)
