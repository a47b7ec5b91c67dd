# Dynamo: a suspended generator becomes a tuple_iterator at a graph break and has no throw, send or close.
# link: https://github.com/pytorch/pytorch/issues/198190
# signature: c440e4072da7bc58 v7 raises eager
# signature: 142adf324e4b2567 v7 raises aot_eager
# signature: d5bb29c5028d8c49 v7 raises aot_eager
# signature: 8739ba0739b7c336 v7 raises aot_eager
# pattern: kind=raises; frame=AttributeError; frame='N' object has no attribute 'N'; call=throw
# pattern: kind=raises; frame=AttributeError; frame='N' object has no attribute 'N'; call=send
# pattern: kind=raises; frame=AttributeError; frame='N' object has no attribute 'N'; call=close
# around: import torch._dynamo.exc as _exc, torch._dynamo.variables.functions as _functions; _functions.LocalGeneratorFunctionVariable.call_function = lambda self, tx, args, kwargs: _exc.unimplemented(gb_type="a generator", context="", explanation="It may leave the graph.", hints=[])
# here: 2.13.0, 2.15.0
# state: open
# Signatures have 'N' for what their messages quote. The around line breaks the graph where a generator is made.
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
    def steps():
        try:
            yield
        except KeyError:
            yield x + 1

    step = steps()
    next(step)
    torch._dynamo.graph_break()
    return step.throw(KeyError()) * 2


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        shown = torch.compile(program, backend="eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {expected}, compiled {type(error).__name__}: {error}")
        sys.exit(1)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.equal(expected, shown) else 1)
