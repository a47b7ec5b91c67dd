# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6509)
    return (
        torch.randint(0, 2, (5, 8, 16, 3), generator=g, dtype=torch.bool),
        torch.randn((5,), generator=g).clamp(-1, 1),
        torch.randint(0, 2, (1, 17, 6), generator=g, dtype=torch.bool),
        torch.rand((5,), generator=g, dtype=torch.float64) + 0.5,
        (torch.rand((1, 17, 6), generator=g) * 0.875 + 0.0625).requires_grad_(),
        (torch.rand((4, 8), generator=g) + 1.0)[..., ::2].requires_grad_(),
        (torch.rand((2, 4), generator=g) * 2 - 1.0)[..., ::2].requires_grad_(),
        torch.randint(0, 2, (1, 6, 17), generator=g, dtype=torch.bool),
        torch.randint(0, 2, (1, 6, 17), generator=g, dtype=torch.bool),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9 = v0.flip((0,))
    v10 = torch.trapezoid(v1, dim=0)
    v11 = v10.diagflat(0)
    v12 = v2.isneginf()
    v13 = torch.unfold_copy(v2, -1, 1, 1)
    v14 = v2.swapdims(2, 1)
    v15 = torch.trunc(v1)
    v16 = torch.special.digamma(v3)
    v17 = torch.renorm(v11, 2.0, 0, 1.0)
    v18, v19 = torch.nn.functional.max_pool2d(v2.double() * 102 + torch.arange(102).view(1, 17, 6), (1, 3), (1, 1), (0, 1), (1, 1), return_indices=True)
    v20 = torch.logit(v4)
    v21 = (v5 + 17 * torch.eye(4, dtype=torch.float32)).inverse()
    v22 = torch.matrix_power(v6 + 5 * torch.eye(2, dtype=torch.float32), -1)
    v23 = v16.cosh_()
    v24 = torch.signbit(v1)
    v25, v26 = torch.max((v3.double() * 8).long() * 5 + torch.arange(5).view(5), 0)
    v27 = v9.eq_(v26)
    v28 = v14.double()
    v29 = v14.masked_scatter_(v7, v8)
    v30 = v14.eq_(v8)
    return (v12, v13, v15, v17, v18, v19, v20, v21, v22, v23, v24, v25, v27, v28, v29, v30)
