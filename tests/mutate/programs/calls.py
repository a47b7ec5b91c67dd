import torch


class Box:
    factor = 3

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        made = self.value + other.value
        return Box(made)

    @staticmethod
    def twice(t):
        return t * 2

    @property
    def double(self):
        result = self.value * 2
        return result


def make_inputs():
    return [(torch.arange(6.0).reshape(2, 3), 2, True), (torch.arange(6.0).reshape(2, 3), 3, False)]


def before_call(i):
    Box.factor = i + 3


def make_counter(start):
    count = start

    def step(by):
        nonlocal count
        count = count + by
        return count

    return step


def program(x, n, flag, unit=torch.ones(3)):
    box = Box(x)
    both = box + Box(unit)
    counter = make_counter(n)
    one = counter(1)
    two = counter(one)
    y = both.value * two
    if flag:
        y = y + 1
    z = Box.twice(y)
    total = sum(v.sum() for v in z)
    found = [v for v in (1, 2, 3) if (last := v) < n]
    w = both.double
    w[0, 1] = 5.0
    p, (q, r) = z[0], (z[1], w)
    del p
    s = q.view(3)
    s[2] = -1.0
    t = torch.sign(z)
    return y, z, total, found, last, r, s, t, Box.factor


def observe():
    return Box.factor
