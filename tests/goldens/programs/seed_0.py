# generator 16
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
        torch.rand((1,), generator=g, dtype=torch.float64) * 6 - 3.0,
        a10,
        a10,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11):
    v12 = v0.relu_()
    v13 = torch.nn.functional.hardtanh(v1, min_val=-1.0)
    v14 = v12.double()
    v15 = torch.view_as_complex(v2)
    v16 = torch.linspace(v3, 2.0, 1, dtype=torch.float32, out=v4)
    v17 = torch.fft.fft(v16, n=1, dim=-1, norm="forward")
    v18 = v14.masked_scatter_(v5, v6)
    v19 = torch.median(v13)
    v20 = torch.cholesky_solve(v8, torch.linalg.cholesky(v7 @ v7.mH + 34 * torch.eye(4, dtype=torch.complex64), upper=True), upper=True)
    v21 = torch.expand_copy(v18, (17, 2, 6, 4))
    v22 = torch.squeeze(v20)
    v23 = v18.asinh()
    v24 = v22[torch.tensor([True, False, False, False])]
    v25 = torch.fft.hfft(v23, n=1, dim=-3)
    v26 = v2.signbit()
    v27 = torch.log_(v7)
    v28 = torch.nn.functional.batch_norm(v25, v9, v10, v11, momentum=0.5)
    v29 = v13.logaddexp2(v16)
    v30, v31 = torch.func.jvp(lambda a: torch.tanh(a) * 2, (v28.clone(),), (v25.clone(),))
    v32, v33 = ((v14.double() * 8).trunc() * 17 + torch.arange(17).view(17, 1, 1, 1)).cummax(-4)
    return v15, v17, v19, v21, v24, v26, v27, v29, v30, v31, v32, v33
