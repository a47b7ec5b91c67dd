# judge: agree
# backend: aot_eager
# class: value
# rule: float32
# construct: interpolate of float16 beside tensors in attributes of a function, a class and a module, filled before each call
# why: The run in higher precision tells only if those tensors are cast with the arguments, after before_call too.
import torch


class Kept:
    scale = torch.tensor([0.5], dtype=torch.bfloat16)


box = torch.nn.Module()


def make_inputs():
    g = torch.Generator().manual_seed(2655)
    program.start = torch.rand(3, generator=g, dtype=torch.bfloat16)
    torch.randint(-3, 3, (1, 1), generator=g, dtype=torch.int32)
    x = torch.rand((), generator=g, dtype=torch.bfloat16)
    return x, torch.rand((16, 2, 16, 4), generator=g, dtype=torch.float16) * 16 - 8.0


def before_call(number):
    box.shift = torch.tensor([0.25], dtype=torch.bfloat16)


def program(x, y):
    program.start[torch.tensor([1])] = x * Kept.scale + box.shift
    z = torch.nn.functional.interpolate(y, (9, 3), mode="bilinear", align_corners=False)
    return torch.vsplit(z, 2)[1] + 1, program.start.sum()
