# Inductor: x[torch.randperm(len(x))] doesn't compile.
# link: https://github.com/pytorch/pytorch/issues/183988
# signature: 54b4fdda2d20c623 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=Not all inputs to pattern found
# avoid: import torch._inductor.pattern_matcher as _matcher; _matcher._unflatten_match_kwargs = (lambda f: lambda kwargs, info, defaults=None: f(kwargs, info, {**(defaults or {}), **({"slice_shape": None} if "slice_shape" in info.argnames else {})}))(_matcher._unflatten_match_kwargs)
# here: 2.13.0
# gone: 2.15.0
# state: open
# A pattern for x[torch.randperm(n)[:k]] is traced with k behind the end, where nothing is left of the slice, so that it matches
# without one, and then asks for k. The avoid line gives it none.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x[torch.randperm(3)]


if __name__ == "__main__":
    expected = program(*make_inputs())
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if "Not all inputs to pattern found" in str(error) else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
