"""A compiler whose generated C++ is not taken.

Option: `said`, what the C++ compiler says behind pages of warnings.
"""

import torch
from jitprobe_runtime.compilers.dynamo import EXPECTED_REFUSALS, STAGES  # noqa: F401

_WARNING = "/usr/include/vec512.h:1898:7: warning: overflow in conversion from 'int' to 'char' [-Woverflow]\n"


def compile(fn, said="", **options):
    def refused(module, example_inputs):
        output = _WARNING * 200 + f"/tmp/cf/cf46.main.cpp:28:1: {said}\n"
        raise torch._inductor.exc.CppCompileError(["g++", "/tmp/cf/cf46.main.cpp", "-O3"], output)

    return torch.compile(fn, backend=refused, **options)
