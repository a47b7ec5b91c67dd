# judge: diverge
# backend: backends/wrong_kernels.py
# class: state_after
# rule: small_numbers
# construct: lerp of squares in a module's buffer
# why: The running mean of squares is lost; its numbers are so small that the default tolerance takes zero for them.
import torch


class Squares(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kept", torch.zeros(4))

    def forward(self, x):
        self.kept = torch.lerp(self.kept, x.square(), 0.001)
        return x.neg()


model = Squares()


def make_inputs():
    torch.manual_seed(2)
    return (torch.randn(4) * 0.01,)


def program(x):
    return model(x)


COMPILE_OPTIONS = {"operator": "lerp", "fault": "all_false"}
