import contextlib

import torch


def make_inputs():
    g = torch.Generator().manual_seed(9)
    return torch.randn(5, generator=g), 4, [torch.ones(2), torch.zeros(2)]


@contextlib.contextmanager
def shifted(t, by):
    t.add_(by)
    try:
        yield t
    finally:
        t.sub_(by)


def rows(t):
    for i in range(t.shape[0]):
        v = t[i] * 2
        yield v
    yield t.sum()


def program(x, n, items):
    acc = torch.zeros(5)
    step = 0
    for i in range(n):
        if i == 2:
            continue
        part = x * i
        acc = acc + part
        step += 1
    while step > 0:
        step -= 1
        if step == 1:
            break
        acc[step] = float(step)
    else:
        acc.zero_()
    try:
        bad = torch.relu(acc)
        bad = bad.view(7)
        lost = bad + 1
    except RuntimeError as error:
        caught = type(error).__name__
        lost = torch.sin(acc)
    finally:
        done = True
    with shifted(acc, 1.0) as inner:
        seen = inner.abs()
        kept = seen + lost
    with torch.no_grad():
        quiet = kept.clone()
        quiet.mul_(2)
    drawn = list(rows(quiet))
    a, b = items
    items[0] = a + b
    match n:
        case 4:
            tail = torch.neg(b)
        case _:
            tail = b
    first, *rest = drawn
    if (size := len(rest)) > 3: tail = tail + size
    x = x - 1; y = x
    return acc, caught, done, kept, quiet, first, rest, tail, y
