# AOTAutograd: the parts of a conjugate that is written in place can't be had: it is viewed as real numbers, which is refused.
# link: unreported
# signature: 63054e94bf3183f0 v7 compiler_error aot_eager
# pattern: kind=compiler_error; frame=view_as_real doesn't work on unresolved conjugated tensors
# here: 2.13.0, 2.15.0
# state: open
# isreal, .real and .imag alike. Without the write, or without the conj, the program compiles. pytorch 171852 has the same
# message for conj before convolutions in Inductor. Found and reduced by a campaign.
# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.
import sys

try:
    import torch
except ImportError as error:
    print(error)
    sys.exit(2)


def make_inputs():
    return (torch.tensor([1 + 0j, 2 + 3j]),)


def program(x):
    return torch.isreal(x.conj().neg_())


if __name__ == "__main__":
    try:
        eager = program(*make_inputs())
    except Exception as error:
        print(f"this can't be judged: {type(error).__name__}: {error}")
        sys.exit(2)
    try:
        compiled = torch.compile(program, backend="aot_eager")(*make_inputs())
    except Exception as error:
        print(f"torch {torch.__version__}: eager gives {eager.tolist()}, compiled raises {type(error).__name__}")
        sys.exit(1 if "view_as_real" in str(error) else 2)
    print(f"torch {torch.__version__}: eager {eager.tolist()}, compiled {compiled.tolist()}")
    sys.exit(0 if torch.equal(eager, compiled) else 1)
