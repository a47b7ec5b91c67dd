# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7382)
    return (
        torch.rand((2, 32), generator=g, dtype=torch.float16) * 4 - 2.0,
        torch.rand((3, 2, 3), generator=g, dtype=torch.float64),
        (torch.rand((4, 4, 7), generator=g, dtype=torch.float64) + 0.5).transpose(-2, -1),
        (torch.rand((1, 2), generator=g, dtype=torch.complex128) + (0.5 + 0.5j)).expand(2, 2),
        torch.rand((2, 2), generator=g, dtype=torch.complex128) + (1 + 1j),
        torch.rand((4, 4), generator=g) * 4 - 2.0,
        torch.randn((1,), generator=g, dtype=torch.float64).clamp(-8, 8).expand(4),
        torch.randn((4, 2, 7), generator=g, dtype=torch.float64).clamp(-1, 1).transpose(-2, -1),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7):
    v8 = v0.short()
    v9 = torch.nn.functional.adaptive_avg_pool2d(v1, (7, 4))
    v10 = torch.transpose_copy(v8, dim0=0, dim1=1)
    v11 = torch.vstack((v9, v2,))
    v12 = torch.nn.functional.mse_loss(v11, v11, reduction="sum")
    v13 = v9.nanmean((1, 0), dtype=torch.float64)
    v14 = torch.cholesky_inverse(torch.linalg.cholesky(v3 @ v3.mH + 11 * torch.eye(2, dtype=torch.complex128)))
    v15 = v12.reshape((1, 1, 1, -1))
    v16, v17 = torch.max((v2.double() * 8).trunc() * 7 + torch.arange(7).view(1, 7, 1), 1)
    v18 = torch.view_as_real(v14)
    v19 = torch.special.xlog1py(v18, v15)
    v20 = torch.addmm(v4, v14, v3, beta=0.5)
    v21, v22 = torch.nn.functional.adaptive_max_pool2d((v2.double() * 8).trunc() * 112 + torch.arange(112).view(4, 7, 4), output_size=(None, 2), return_indices=True)
    v23 = torch.isinf(v19)
    v13[[False, True, False, True]] *= v12
    v24 = v13
    v25 = torch.cumsum(v19, dim=1)
    v26 = torch.unsqueeze_copy(v25, -3)
    v27 = torch.matmul(*torch.qr(v5 + 17 * torch.eye(4, dtype=torch.float32)))
    v28, v29 = torch._foreach_sub([v24, v21], [v6, v7])
    v30 = v21 <= 2
    return v10, v16, v17, v20, v22, v23, v26, v27, v28, v29, v30
