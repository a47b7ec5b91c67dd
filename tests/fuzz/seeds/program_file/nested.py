import torch

scale = 2.0
counter = 0


def helper(t, by=scale):
    global counter
    counter += 1
    r = t * by
    return r


def make_inputs():
    g = torch.Generator().manual_seed(7)
    return torch.randn(3, 3, generator=g), torch.randn(3, generator=g)


def program(x, w):
    total = torch.zeros(3)
    count = 0

    def bump(amount):
        nonlocal count, total
        count += amount
        total = total + w
        late_value = late * 2
        return late_value

    late = torch.tanh(x)
    first = bump(1)
    late = torch.cos(x)
    second = bump(2)
    both = first + second
    twice = [helper(row) for row in both]
    stacked = torch.stack(twice)
    picked = {i: stacked[i] for i in range(3) if i != 1}
    square = lambda v: v * v
    out = square(total)
    if count > 2:
        extra = out - 1
        label = "big"
    else:
        extra = out
        label = "small"
    total = torch.abs(extra)
    return both, picked, out, total, count, label
