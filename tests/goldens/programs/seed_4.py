# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(2053)
    a0 = torch.rand((1,), generator=g, dtype=torch.bfloat16) + 1.0
    return (
        a0,
        a0[...],
        a0,
        a0.view(-1),
        a0,
        torch.rand((1,), generator=g, dtype=torch.bfloat16),
        (torch.rand((1,), generator=g, dtype=torch.complex64) * 0.9375).requires_grad_(),
        torch.rand((17,), generator=g),
        torch.randint(0, 2, (2, 1, 8), generator=g, dtype=torch.bool),
        torch.randn((32, 8, 2, 4, 1), generator=g, dtype=torch.bfloat16).clamp(-8, 8),
        (torch.rand((16, 1), generator=g) * 2 - 1.0).requires_grad_(),
        torch.rand((1, 2), generator=g) * 2 - 1.0,
        torch.rand((12,), generator=g) * 6 - 3.0,
        torch.rand((2, 3, 2, 2), generator=g) + 1.0,
        torch.rand((3,), generator=g) * 2 - 1.0,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14):
    v15 = torch.tensor(5, dtype=torch.int16)
    v16 = v15.unsqueeze(-1)
    v17, v18, v19 = torch._foreach_lerp([v0, v1, v2], [v3, v4, v5], 0.75)
    v20 = torch.acos(v6)
    v21 = torch.resolve_neg(v19)
    v22 = torch.special.modified_bessel_k1(v15)
    v23 = v7.std(0, correction=0)
    v24, v25, v26 = v7.hsplit((0, 5))
    v27, v28 = torch.nn.functional.max_pool2d(v8.long() * 16 + torch.arange(16).view(2, 1, 8), kernel_size=1, padding=(0, 0), dilation=(2, 1), return_indices=True)
    v29 = torch.special.erfinv(v23)
    v30, v31 = torch._foreach_reciprocal_([v17, v18])
    v32 = torch.nn.functional.adaptive_avg_pool3d(v9, (2, None, 4))
    v33 = torch.addmm(v22, v10, v11)
    v34 = torch.renorm(v33, 1.0, -1, 3.5)
    v35, v36 = torch.func.jvp(lambda a: torch.cos(a) + a, (v26.clone(),), (v12.clone(),))
    v37 = v8.erfc()
    v38 = v37.square_()
    v8[:] = v28
    v39 = v8
    v40 = v26.ceil()
    v41 = torch.nn.functional.conv_transpose2d(v38, v13, v14, stride=(1, 3), padding=(1, 0), output_padding=(1, 0), groups=1, dilation=(2, 1))
    return (v16, v20, v21, v24, v25, v27, v29, v30, v31, v32, v34, v35, v36, v39, v40, v41)
