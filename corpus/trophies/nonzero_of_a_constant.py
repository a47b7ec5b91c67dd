# Inductor: nonzero or unique of a constant with one element, or an index by a mask of shape [1] that is one, does not compile.
# link: unreported
# signature: f5b8524d37a80125 v7 compiler_error inductor
# pattern: kind=compiler_error; backend=inductor; frame=DynamicOutputShapeException
# pattern: kind=raises; backend=inductor; frame=DynamicOutputShapeException
# around: import torch._subclasses.fake_tensor as _fake; _fake.FakeTensorMode._dispatch_impl = (lambda run: lambda self, func, types, args, kwargs: (torch.Tag.dynamic_output_shape in getattr(func, "tags", ()) and [setattr(t, "constant", None) for t in torch.utils._pytree.tree_leaves((args, kwargs)) if isinstance(t, _fake.FakeTensor)], run(self, func, types, args, kwargs))[1])(_fake.FakeTensorMode._dispatch_impl)
# here: 2.13.0, 2.15.0
# state: open
# Fake tensors remember what a constant of one element is, so that Dynamo takes operators whose result's shape depends on
# values into the graph. Inductor propagates shapes again without knowing the constant, and torch raises an
# InductorError instead of leaving the graph. With two elements Dynamo leaves the graph. The around line makes it do so with
# one, too. Found and reduced by a campaign, then by hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(1),)


def program(x):
    return x[torch.tensor([True])]


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="inductor")(*make_inputs())
    except Exception as error:
        refused = "DynamicOutputShapeException" in str(error)
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1 if refused else 2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 2)
