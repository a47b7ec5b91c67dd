# Inductor: an input with the negative bit set (imag of a conjugate) is read without its sign.
# link: https://github.com/pytorch/pytorch/issues/145093
# signature: 394bf46f464b8f05 v7 value inductor
# pattern: kind=value; backend=inductor; call=conj
# avoid: import torch._inductor.output_code as o; o.CompiledFxGraph.__call__ = (lambda f: lambda self, inputs: (old := list(inputs), new := [torch.empty_strided(x.shape, x.stride(), dtype=x.dtype).copy_(x.detach()) if isinstance(x, torch.Tensor) and x.is_neg() else x for x in inputs], inputs.clear(), result := f(self, list(new)), [x.detach().copy_(y) for x, y in zip(old, new) if x is not y])[3])(o.CompiledFxGraph.__call__)
# here: 2.13.0, 2.15.0
# state: open
# The issue names clone; so does every operator that Inductor compiles itself, as here.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1 + 1j, 2 - 3j], dtype=torch.complex128).conj().imag,)


def program(x):
    return x + 0


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
