# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7183)
    a5 = torch.rand((257,), generator=g) + 0.5
    return (
        torch.randint(-100, 101, (17, 2, 6, 1), generator=g, dtype=torch.int32),
        torch.randn((5, 17, 3), generator=g).clamp(-1, 1),
        torch.randn((4, 3, 17, 2), generator=g).clamp(-8, 8),
        torch.rand((5, 17, 3), generator=g, dtype=torch.complex64) * 6 - (3 + 3j),
        torch.randint(0, 2, (1,), generator=g, dtype=torch.bool),
        a5,
        torch.randn((5, 5), generator=g).clamp(-1, 1).transpose(-2, -1),
        (torch.rand((5, 7), generator=g) * 2 - 1.0).requires_grad_(),
        torch.randn((3, 4, 2, 3, 3), generator=g).clamp(-2, 2),
        torch.randn((4,), generator=g).clamp(-3, 3),
        torch.rand((4,), generator=g) + 1.0,
        torch.randn((4,), generator=g).clamp(-8, 8),
        torch.randn((4,), generator=g).clamp(-1, 1).requires_grad_(),
        a5[0],
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13):
    v14 = torch.relu_(v0)
    v15 = torch.nn.functional.hardtanh(v1, min_val=-1.0, max_val=1.0)
    v16 = v15.double()
    v17 = torch.view_as_complex(v2)
    v18 = torch.linspace(start=-3.0, end=-4.0, steps=1, dtype=torch.float32)
    v19 = torch.fft.fft(v15, n=3, dim=-1, out=v3)
    v20 = v15.masked_scatter_(v4, v5)
    v21 = v20.median()
    v22 = torch.cholesky_solve(v7, torch.linalg.cholesky(v6 @ v6.mH + 6 * torch.eye(5, dtype=torch.float32)))
    v23 = torch.expand_copy(v20, (5, 17, 3))
    v24 = torch.squeeze(v22)
    v25 = v22.asinh()
    v26 = v16[None, torch.arange(5) >= 4, 2:, :]
    v27 = torch.fft.hfft(v16, n=30, dim=-2)
    v28 = v26.signbit()
    v29 = torch.log_(v5)
    v30 = torch.nn.functional.batch_norm(v8, v9, v10, v11, v12, True, eps=0.01)
    v31 = v18.logaddexp2(v24)
    v32, v33 = torch.func.jvp(lambda a: torch.cos(a) + a, (v21.clone(),), (v13.clone(),))
    v34, v35 = ((v20.double() * 8).long() * 5 + torch.arange(5).view(5, 1, 1)).cummax(dim=0)
    return v14, v17, v19, v23, v25, v27, v28, v29, v30, v31, v32, v33, v34, v35
