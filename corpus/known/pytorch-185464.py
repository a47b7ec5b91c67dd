# AOTAutograd: multilabel_margin_loss counts targets after the first -1, where eager stops there.
# link: https://github.com/pytorch/pytorch/issues/185464
# signature: 6c9699cdc7252717 v7 value aot_eager
# pattern: kind=value; call=multilabel_margin_loss
# pattern: kind=gradient; call=multilabel_margin_loss
# pattern: kind=shape; call=multilabel_margin_loss
# around: torch.ops.aten.multilabel_margin_loss_forward.default.py_kernels.clear()
# here: 2.13.0
# gone: 2.15.0
# state: fixed
# Without a batch and without reduction it also has the shape [1], where eager has []: the same decomposition.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(2), torch.tensor([0, -1]))


def program(x, y):
    return torch.nn.functional.multilabel_margin_loss(x, y)


if __name__ == "__main__":
    print(f"torch {torch.__version__}, Python {sys.version.split()[0]}")
    try:
        eager = program(*make_inputs())
        compiled = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    sys.exit(0 if torch.equal(eager, compiled) else 1)
