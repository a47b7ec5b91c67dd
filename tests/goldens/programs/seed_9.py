# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6509)
    return (
        torch.randint(0, 2, (5, 8, 16, 3), generator=g, dtype=torch.bool),
        torch.randn((5,), generator=g).clamp(-1, 1),
        (torch.rand((5,), generator=g) * 0.875 + 0.125).requires_grad_(),
        torch.randint(0, 10, (1, 7, 32), generator=g).expand(2, 7, 32),
        (torch.rand((), generator=g, dtype=torch.bfloat16) * 0.875 + 0.0625).requires_grad_(),
        torch.rand((2, 2), generator=g, dtype=torch.complex128),
        torch.rand((1, 4, 4), generator=g),
        (torch.rand((14,), generator=g, dtype=torch.float64) * 2 - 1.0)[..., ::2].requires_grad_(),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7):
    v8 = v0.flip((0,))
    v9 = torch.trapezoid(v1, dim=0)
    v10 = v9.diagflat(3)
    v11 = v10.isneginf()
    v12 = torch.unfold_copy(v10, 1, 1, 1)
    v13 = v9.swapdims(-1, 0)
    v14 = torch.trunc(v1)
    v15 = torch.special.digamma(v2)
    v16 = torch.renorm(v12, 2.0, -2, 3.5)
    v17, v18 = torch.nn.functional.max_pool2d(v3.long() * 448 + torch.arange(448).view(2, 7, 32), (2, 3), (1, 3), (1, 0), (1, 3), return_indices=True)
    v19 = torch.logit(v4)
    v20 = (v5 + 7 * torch.eye(2, dtype=torch.complex128)).inverse()
    v21 = torch.matrix_power(v6 + 9 * torch.eye(4, dtype=torch.float32), -2)
    v22 = v1.cosh_()
    v23 = torch.signbit(v22)
    v24, v25 = torch.max(v18.double() * 8 + torch.arange(8).view(1, 8, 1), dim=1)
    v26 = v25.eq_(v24)
    v27 = v22.double()
    v28 = torch.masked_scatter(v27, v23, v7)
    v29 = v8.eq_(v0)
    return v11, v13, v14, v15, v16, v17, v19, v20, v21, v26, v28, v29
