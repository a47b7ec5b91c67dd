"""Arguments that a file doesn't bring along."""

import torch


def drawn(shape, dtype, generator):
    """A tensor: floating and complex elements normal, integers 0 to 3, bools even."""
    if dtype is torch.bool:
        return torch.randint(0, 2, shape, generator=generator).bool()
    if not dtype.is_floating_point and not dtype.is_complex:
        return torch.randint(0, 4, shape, generator=generator).to(dtype)
    wide = torch.complex64 if dtype.is_complex else torch.float32
    return torch.randn(shape, dtype=wide, generator=generator).to(dtype)
