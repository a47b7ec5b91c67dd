# AOTAutograd: interpolate with mode nearest resamples a dimension whose size stays the same, where eager keeps it.
# link: https://github.com/pytorch/pytorch/issues/198201
# signature: 3079848d90eeabe7 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; call=interpolate
# avoid: exec("import torch, torch._decomp.decompositions as decompositions\nplain = decompositions._compute_upsample_nearest_indices\ndef keeps(x, size):\n    if x.device.type != \"cpu\" or len(size) not in (2, 3):\n        return False\n    last = x.shape[1] > 3 and x.is_contiguous(memory_format=torch.channels_last if len(size) == 2 else torch.channels_last_3d)\n    return last or (len(size) == 2 and size[0] + size[1] <= 128)\ndef indices(x, size, scales, exact=False):\n    if not exact and any(scale is not None for scale in scales) and keeps(x, size):\n        scales = [None if o in (i, 2 * i) else scale for i, o, scale in zip(x.shape[2:], size, scales)]\n    return plain(x, size, scales, exact)\ndecompositions._compute_upsample_nearest_indices = indices", {})
# here: 2.13.0, 2.15.0
# state: open
# In eager only where the result is small or is in channels_last; pytorch 175154 reports it too.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.arange(4.0).reshape(1, 1, 2, 2),)


def program(x):
    return torch.nn.functional.interpolate(x, scale_factor=1.3, mode="nearest")


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
