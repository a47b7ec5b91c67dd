# AOTAutograd: multi_margin_loss of one target without reduction has the shape [1], where eager has [].
# link: unreported
# signature: 78e3f2c019993a78 v7 shape aot_eager
# pattern: kind=shape; call=multi_margin_loss
# pattern: kind=structure; call=multi_margin_loss
# around: torch.ops.aten.multi_margin_loss.default.py_kernels.clear()
# here: 2.13.0, 2.15.0
# state: open
# Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def program(x, target):
    return torch.nn.functional.multi_margin_loss(x, target, reduction="none")


def make_inputs():
    return torch.rand(3), torch.tensor(1)


if __name__ == "__main__":
    try:
        expected = program(*make_inputs()).shape
        shown = torch.compile(program, backend="aot_eager")(*make_inputs()).shape
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives the shape {list(expected)}, compiled {list(shown)}")
    sys.exit(0 if expected == shown else 1)
