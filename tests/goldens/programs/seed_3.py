# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7382)
    return (
        torch.rand((2, 32), generator=g, dtype=torch.float16) * 4 - 2.0,
        torch.rand((3, 2, 3), generator=g, dtype=torch.float64),
        (torch.rand((4, 4, 7), generator=g, dtype=torch.float64) + 0.5).transpose(-2, -1),
        torch.rand((3, 3), generator=g) * 4 - 2.0,
        torch.rand((9, 3), generator=g, dtype=torch.complex64) * 2 - (1 + 1j),
        torch.rand((2, 3), generator=g, dtype=torch.float64) + 0.5,
        torch.randn((1, 7), generator=g, dtype=torch.float64).clamp(-1, 1),
        torch.rand((1, 1, 1, 1), generator=g) + 0.5,
        torch.randn((9, 3, 2), generator=g, dtype=torch.float64).clamp(-3, 3),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9 = v0.short()
    v10 = torch.nn.functional.adaptive_avg_pool2d(v1, (7, 4))
    v11 = torch.transpose_copy(v9, dim0=0, dim1=1)
    v12 = torch.vstack((v10, v2,))
    v13 = torch.nn.functional.mse_loss(v12, v12, reduction="sum")
    v14 = v13.nanmean()
    v15 = torch.cholesky_inverse(torch.linalg.cholesky(v3 @ v3.mH + 13 * torch.eye(3, dtype=torch.float32), upper=True), upper=True)
    v16 = torch.reshape(v14, (1, -1))
    v17, v18 = torch.max((v1.double() * 8).trunc() * 3 + torch.arange(3).view(3, 1, 1), 0)
    v19 = torch.view_as_real(v4)
    v20 = torch.special.xlog1py(v17, v5)
    v21 = torch.addmm(v13, v16, v6, beta=0.5)
    v22, v23 = torch.nn.functional.adaptive_max_pool2d((v19.double() * 8).trunc() * 54 + torch.arange(54).view(9, 3, 2), output_size=(None, 2), return_indices=True)
    v24 = v22.isinf()
    v15[None, :-1, None] *= v7
    v25 = v15
    v26 = torch.cumsum(v20, 0)
    v27 = torch.unsqueeze_copy(v8, dim=0)
    v28 = torch.matmul(*torch.qr(v25 + 2 * torch.eye(3, dtype=torch.float32)))
    v29, v30 = torch._foreach_sub([v26, v21], [0.25, 0.5])
    v31 = v22 <= 2
    return v11, v18, v23, v24, v27, v28, v29, v30, v31
