# generator 16
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
        torch.randint(0, 2, (1, 8, 18), generator=g, dtype=torch.bool)[..., ::2],
        torch.randint(0, 10, (1,), generator=g).expand(145),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9 = v0.flip(0)
    v10 = torch.trapezoid(v1, dim=0)
    v11 = v10.diagflat(3)
    v12 = v11.isneginf()
    v13 = torch.unfold_copy(v11, 1, 1, 1)
    v14 = v10.swapdims(-1, 0)
    v15 = v1.trunc()
    v16 = torch.digamma(v2)
    v17 = torch.renorm(v13, 2.0, -2, 3.5)
    v18, v19 = torch.nn.functional.max_pool2d(v3.long() * 448 + torch.arange(448).view(2, 7, 32), kernel_size=(2, 3), stride=(1, 3), padding=(1, 0), dilation=(1, 3), return_indices=True)
    v20 = v4.logit()
    v21 = torch.linalg.inv(v5 + 7 * torch.eye(2, dtype=torch.complex128))
    v22 = (v6 + 9 * torch.eye(4, dtype=torch.float32)).matrix_power(-2)
    v23 = v1.cosh_()
    v24 = v15.signbit()
    v25, v26 = torch.max(v18.double() * 9 + torch.arange(9).view(1, 1, 9), dim=-1, keepdim=True)
    v27 = v26.eq_(v25)
    v28 = v19.double()
    v29 = torch.masked_scatter(v18, v7, v8)
    v30 = v19.eq_(v29)
    return v9, v12, v14, v16, v17, v20, v21, v22, v23, v24, v27, v28, v30
