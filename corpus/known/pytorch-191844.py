# AOTAutograd: returned views are made from other tensors when two arguments alias and one of them is mutated.
# link: https://github.com/pytorch/pytorch/pull/191844
# signature: bd8385ba415c8430 v7 value aot_eager
# pattern: kind=value; backend=aot_eager
# pattern: kind=shape; backend=aot_eager
# pattern: kind=raises; frame=gen_alias_from_base; frame=Dimension out of range
# pattern: kind=raises; frame=IndexError; frame=_replay_alias; frame=list index out of range
# avoid: import dataclasses, torch._functorch.aot_autograd, torch._functorch._aot_autograd.runtime_wrappers as r; r.create_synthetic_base_metadata = (lambda f, of, own: lambda m, bases, *rest: (old := list(m.output_info), m.output_info.__setitem__(slice(None), [o if o.output_type.name in own else of(o, base_idx=None) for o in old]), made := f(m, bases, *rest), m.output_info.__setitem__(slice(None), old), made[0].output_info.__setitem__(slice(len(old)), [of(n, base_idx=o.base_idx) if o.output_type.name not in own else n if isinstance(bases[o.base_idx], tuple) else of(n, output_type=o.output_type) for o, n in zip(old, made[0].output_info)]))[2])(r.create_synthetic_base_metadata, dataclasses.replace, ("alias_of_input", "is_input"))
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# The two that alias become one argument, and the numbers of the tensors that the views are made from are changed as if
# they
# were numbers of arguments: here the views of y and z are swapped. With one such tensor it is an IndexError. A mutated
# argument that is returned itself gives other elements of its memory for the same reason: b * 2, x.add_(1) after
# a.neg_().
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    a = torch.ones(2)
    return torch.ones(2, requires_grad=True), a, a[:]


def program(x, a, b):
    y = x * 2
    z = x * 3
    a.add_(b)
    return y[0], y[1], z[0], z[1]


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 1)
