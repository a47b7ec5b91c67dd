# Dynamo: a Fourier transform whose length is a number that changes can't be compiled the second time.
# link: unreported
# signature: ef0716a179c56fd6 v7 compiler_error eager
# signature: a243c374efe9fba9 v7 compiler_error eager
# pattern: kind=compiler_error; frame=_exec_fft; frame=tried to directly modify sizes
# avoid: import torch._meta_registrations as _meta; _meta._exec_fft = lambda out, x, sizes, dim, *, forward: (lambda order: out.new_empty([sizes[d] for d in order]).permute([order.index(d) for d in range(x.ndim)]))(sorted((d for d in range(x.ndim) if d not in dim), key=lambda d: x.stride(d), reverse=True) + list(dim))
# here: 2.13.0
# gone: 2.15.0
# state: open
# "tried to directly modify sizes for customized tensor": the fake run resizes a tensor of symbolic sizes. So for fft, rfft, fft2,
# rfft2 and rfftn with n= or s=. The avoid line makes a tensor of the same strides instead. Exporting it was pytorch 135087.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return [(3,), (2,)]


def program(x):
    return torch.fft.rfft(torch.ones(3), n=x)


def results(function):
    """What it gives for each of the inputs, one after the other."""
    return [function(*arguments) for arguments in make_inputs()]


if __name__ == "__main__":
    expected = results(program)
    try:
        shown = results(torch.compile(program, backend="eager"))
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "tried to directly modify sizes" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if all(map(torch.equal, expected, shown)) else 2)
