# Dynamo: a record_function that is used as a decorator becomes a nullcontext at a graph break, which can't be called.
# link: unreported
# signature: edb7d9edcd64e3a9 v7 raises eager
# pattern: kind=raises; backend=eager; frame=TypeError; frame=object is not callable; call=record_function
# around: import torch._dynamo.variables.ctx_manager as c; c.ProfilerRecordFunctionContextVariable.reconstruct = c.ProfilerContextVariable.reconstruct
# here: 2.13.0, 2.15.0
# state: open
# "'nullcontext' object is not callable". A torch.profiler.profile breaks the graph instead. Found by a campaign,
# reduced by
# hand.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2),)


def program(x):
    @torch.profiler.record_function("step")
    def step():
        torch._dynamo.graph_break()
        return x + 1

    return step()


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled raises {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
