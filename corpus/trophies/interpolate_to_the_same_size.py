# AOTAutograd: linear interpolation resamples a dimension whose size stays the same, where eager keeps it.
# link: unreported
# signature: 3079848d90eeabe7 v7 value aot_eager
# pattern: kind=value; backend=aot_eager; call=interpolate
# avoid: import torch._decomp.decompositions as d; d._upsample_linear = (lambda f: lambda x, size, align, scales: f(x, size, align, [None if i == o and x.device.type == "cpu" else s for i, o, s in zip(x.shape[2:], size, scales)]))(d._upsample_linear)
# here: 2.13.0, 2.15.0
# state: open
# Linear, bilinear and trilinear. pytorch 198201 says the same of the mode nearest. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([[[0.0, 1.0]]]),)


def program(x):
    return torch.nn.functional.interpolate(x, scale_factor=1.2, mode="linear")


if __name__ == "__main__":
    try:
        expected = program(*make_inputs())
        shown = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    print(f"torch {torch.__version__}: eager gives {expected}, compiled {shown}")
    sys.exit(0 if torch.allclose(expected, shown) else 1)
