# Inductor: the gradient of a multi-margin loss is lost beside that of a negative log likelihood of the same classes.
# link: unreported
# signature: 71dffdf5fc657d9c v7 gradient inductor
# state: open
# around: import torch._inductor.config; torch._inductor.config.max_fusion_size = 1
# here: 2.13.0
# gone: 2.15.0
# The classes are a tensor that the program makes. At the right class the gradient is a quarter instead of a third. The margin
# loss's part is missing there in what is fused of both ways back: without fusion it is there, and so it is with each loss by
# itself, and with the classes as an argument.
# Found with eight losses in one program, reduced by jitprobe.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.ones(4, 3, requires_grad=True),)


def program(x):
    classes = torch.tensor([0, 0, 0, 0])
    return F.multi_margin_loss(x, classes), F.nll_loss(x.log_softmax(1), classes)


def gradient(function):
    (x,) = make_inputs()
    torch.autograd.backward(list(function(x)), [torch.tensor(0.5), torch.tensor(1.5)])
    return x.grad


if __name__ == "__main__":
    try:
        expected = gradient(program)
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    shown = gradient(torch.compile(program))
    print(f"torch {torch.__version__}: eager gives {expected.tolist()}, compiled {shown.tolist()}")
    sys.exit(0 if torch.allclose(expected, shown, atol=1e-3) else 1)
