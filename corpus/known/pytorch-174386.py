# Inductor: what torch.empty_like makes is not filled under torch.use_deterministic_algorithms(True).
# link: https://github.com/pytorch/pytorch/issues/174386
# signature: 433b5d9a28212d8c v7 value inductor
# pattern: kind=value; backend=inductor; call=empty_like
# pattern: kind=value; backend=inductor; call=empty
# pattern: kind=value; backend=inductor; call=new_empty
# pattern: kind=value; backend=inductor; call=empty_strided
# avoid: exec("import torch, torch.utils.deterministic, torch._inductor.lowering as lowering\ndef filled(f):\n    def g(*args, **named):\n        made = f(*args, **named)\n        if not torch.are_deterministic_algorithms_enabled() or not torch.utils.deterministic.fill_uninitialized_memory:\n            return made\n        dtype = made.get_dtype()\n        value = float(\"nan\") if dtype.is_floating_point or dtype.is_complex else True if dtype == torch.bool else torch.iinfo(dtype).max\n        return lowering.mutate_to(made, lowering.full_like(made, value))\n    return g\nfor op in list(lowering.lowerings):\n    if str(op).split(\".\")[:2] in [[\"aten\", name] for name in (\"empty\", \"empty_like\", \"empty_strided\", \"empty_permuted\", \"new_empty\", \"new_empty_strided\")] and not str(op).endswith(\".out\"):\n        lowering.lowerings[op] = filled(lowering.lowerings[op])", {})
# here: 2.13.0, 2.15.0
# state: open
# So for empty, new_empty and empty_strided. Eager fills them with nan, or with the largest integer, so that what a program reads of
# them does not depend on what was in memory before. The avoid line fills them.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


torch.use_deterministic_algorithms(True)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return torch.empty_like(x)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown, equal_nan=True) else 1)
