# AOTAutograd: linalg.inv and cholesky don't compile when an argument is mutated and aliases another.
# link: unreported
# signature: f1054858b4f5153e v7 raises aot_eager
# signature: 80645dd70f586198 v7 compiler_error inductor
# pattern: kind=compiler_error; frame=expected 0 forward output tokens
# pattern: kind=raises; frame=builtins.StopIteration
# avoid: import torch._dynamo, torch._functorch._aot_autograd.runtime_wrappers as _wrappers; _wrappers.create_synthetic_base_metadata = (lambda make: lambda m, *more: (lambda made: (setattr(made[0], "tokens", m.tokens), made)[1])(make(m, *more)))(_wrappers.create_synthetic_base_metadata)
# here: 2.13.0, 2.15.0
# state: open
# They check their result by an operator with an effect token, which is not among the arguments that the graph is traced
# with: StopIteration, or with gradients "expected 0 forward output tokens". What is recorded of the arguments is made anew for
# the tensor that they share, without the tokens; the avoid line copies them. pytorch 190908 is the same token in a while_loop.
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def program(x, y):
    x.neg_()
    return y + 1, torch.linalg.inv(torch.eye(2))


def make_inputs():
    x = torch.ones(4)
    return x, x[...]


if __name__ == "__main__":
    try:
        program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager works, compiled raises {type(error).__name__}: {str(error)[:200]}")
        sys.exit(1)
    print(f"torch {torch.__version__}: both work")
    sys.exit(0)
