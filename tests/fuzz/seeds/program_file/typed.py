import torch


def make_inputs():
    g = torch.Generator().manual_seed(3)
    return (
        torch.randint(0, 9, (2, 3, 5), generator=g),
        torch.randn(3, 5, generator=g).half(),
        torch.randn(2, 1, 5, generator=g, dtype=torch.float64),
        torch.randint(0, 2, (5,), generator=g).bool(),
        torch.tensor(2.5),
        3,
    )


def program(a, b, c, d, e, n):
    t0 = a + b
    t1 = t0 * c
    t2 = torch.logical_not(d)
    t3 = t2 ^ d
    t4 = a % n
    t5 = torch.where(t3, a, t4)
    t6 = b * e
    t7 = torch.add(t6, 1.5)
    t8 = c.exp()
    t9 = t8 <= t1
    t10 = a.to(torch.uint8)
    t11 = t10 & t10
    t12 = torch.bitwise_not(a)
    t13 = torch.square(b)
    t14 = e + n
    t15 = t14.sqrt()
    t16 = a / n
    t17 = t16.permute(2, 0, 1)
    t18 = t17.floor()
    return t1, t5, t7, t9, t11, t12, t13, t15, t18
