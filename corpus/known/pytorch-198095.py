# AOTAutograd: a returned view of an argument that aliases a mutated one shows other elements of the memory.
# link: https://github.com/pytorch/pytorch/issues/198095
# signature: bd8385ba415c8430 v7 value aot_eager
# pattern: kind=raises; frame=gen_alias_from_base
# pattern: kind=raises; frame=incorrect out shape after application of ViewMeta sequence
# pattern: kind=compiler_error; frame=incorrect out shape after application of ViewMeta sequence
# avoid: import dataclasses, torch._functorch.aot_autograd, torch._functorch._aot_autograd.runtime_wrappers as r; r.create_synthetic_base_metadata = (lambda f, of: lambda m, bases, *rest: (made := f(m, bases, *rest), infos := made[0].output_info, infos.__setitem__(slice(len(m.output_info)), [of(n, view_meta_sequence=None) if n.output_type.name in ("alias_of_input", "is_input") and isinstance(bases[o.base_idx], tuple) else n for o, n in zip(m.output_info, infos)]))[0])(r.create_synthetic_base_metadata, dataclasses.replace)
# here: 2.13.0, 2.15.0
# state: open
# The view is made anew from the base of both arguments, without the offset and the shape of y. Where the shapes don't
# fit by
# chance, it is an error: "incorrect out shape after application of ViewMeta sequence" for torch.squeeze(y).
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    x = torch.arange(3.0)
    return x, x[1:]


def program(x, y):
    x.add_(100)
    return y[0]


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
