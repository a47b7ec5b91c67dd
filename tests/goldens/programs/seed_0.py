# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7183)
    a7 = torch.rand((4, 4, 4), generator=g, dtype=torch.complex64) + (1 + 1j)
    a10 = torch.rand((1,), generator=g, dtype=torch.float64) + 1.0
    return (
        torch.randint(-100, 101, (17, 2, 6, 1), generator=g, dtype=torch.int16),
        torch.rand((17, 3, 5, 8, 1), generator=g).requires_grad_(),
        torch.randn((2, 2, 7, 2), generator=g).clamp(-3, 3).requires_grad_(),
        torch.randn((), generator=g, dtype=torch.bfloat16).clamp(-3, 3),
        torch.randn((1,), generator=g).clamp(-8, 8),
        torch.randint(0, 2, (17, 2, 6, 1), generator=g, dtype=torch.bool),
        torch.rand((205,), generator=g, dtype=torch.float64),
        a7,
        a7,
        torch.rand((1,), generator=g, dtype=torch.float64) * 16 - 8.0,
        a10,
        a10,
        torch.randn((17, 2, 6, 1), generator=g, dtype=torch.float64).clamp(-1, 1).requires_grad_(),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12):
    v13 = v0.relu_()
    v14 = torch.nn.functional.hardtanh(v1, min_val=-1.0)
    v15 = v13.double()
    v16 = torch.view_as_complex(v2)
    v17 = torch.linspace(v3, 2.0, 1, dtype=torch.float32, out=v4)
    v18 = torch.fft.fft(v17, n=1, dim=-1, norm="forward")
    v19 = v15.masked_scatter_(v5, v6)
    v20 = v14.median()
    v21 = torch.cholesky_solve(v8, torch.linalg.cholesky(v7 @ v7.mH + 34 * torch.eye(4, dtype=torch.complex64)))
    v22 = torch.expand_copy(v19, (17, 2, 6, 4))
    v23 = v21.squeeze()
    v24 = v19.asinh()
    v25 = v23[torch.tensor([True, False, False, False])]
    v26 = torch.fft.hfft(v24, n=1, dim=-3)
    v27 = torch.signbit(v2)
    v28 = v7.log_()
    v29 = torch.nn.functional.batch_norm(v26, v9, v10, v11, momentum=0.5, eps=0.1)
    v30 = v22.logaddexp2(v26)
    v31, v32 = torch.func.jvp(lambda a: torch.cos(a) + a, (v24.clone(),), (v12.clone(),))
    v33, v34 = torch.cummax((v22.double() * 8).long() * 6 + torch.arange(6).view(1, 1, 6, 1), dim=-2)
    return v16, v18, v20, v25, v27, v28, v29, v30, v31, v32, v33, v34
