# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(2053)
    a0 = torch.randn((1,), generator=g, dtype=torch.float16).clamp(-8, 8)
    a6 = torch.rand((1,), generator=g, dtype=torch.float64)
    return (
        a0,
        (torch.rand((1,), generator=g, dtype=torch.float64) * 2 - 1.0).requires_grad_(),
        (torch.rand((1,), generator=g, dtype=torch.float64) * 2 - 1.0).requires_grad_(),
        a0.view(-1),
        torch.rand((1,), generator=g, dtype=torch.float64) * 6 - 3.0,
        torch.rand((1,), generator=g, dtype=torch.float16),
        a6,
        a6.view(-1),
        torch.rand((1,), generator=g) * 1.875 - 0.9375,
        torch.rand((4, 3), generator=g) * 16 - 8.0,
        (torch.rand((1, 3, 6), generator=g) * 2 - 1.0).expand(5, 3, 6),
        (torch.rand((5, 17), generator=g) * 1.9375 + 0.0625).requires_grad_(),
        torch.rand((1,), generator=g) + 0.5,
        torch.rand((1, 16, 2, 3), generator=g, dtype=torch.float64) + 1.0,
        torch.rand((1, 2), generator=g),
        torch.randn((5, 1, 4), generator=g, dtype=torch.float64).clamp(-2, 2),
        torch.rand((16, 2, 2, 2), generator=g, dtype=torch.float64) + 0.5,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15, v16):
    v17 = torch.scalar_tensor(5, dtype=torch.int64)
    v18 = v17.unsqueeze(-1)
    v19, v20, v21 = torch._foreach_lerp([v0, v1, v2], [v3, v1, v4], [v5, v6, v7])
    v22 = v8.acos()
    v23 = torch.resolve_neg(v22)
    v24 = torch.special.modified_bessel_k1(v23)
    v25 = v9.std(dim=1, keepdim=True)
    v26, v27 = v9.hsplit((2,))
    v28, v29 = torch.nn.functional.max_pool2d((v10.double() * 8).trunc() * 90 + torch.arange(90).view(5, 3, 6), kernel_size=(3, 2), padding=(0, 1), ceil_mode=True, return_indices=True)
    v30 = torch.special.erfinv(v8)
    v31, v32, v33 = torch._foreach_reciprocal([v22, v11, v12])
    v34 = torch.nn.functional.adaptive_avg_pool3d(v13, (None, 7, 2))
    v35 = torch.addmm(v22, v27, v14)
    v36 = v26.renorm(3.0, 0, 2.0)
    v37, v38 = torch.func.jvp(lambda a: torch.cos(a) + a, (v32.clone(),), (v32.clone(),))
    v39 = torch.erfc(v32)
    v40 = torch.square_(v36)
    v30[..., 0:] = 2.0
    v41 = v30
    v42 = torch.ceil(v28, out=v15)
    v43 = torch.nn.functional.conv_transpose2d(v34, v16, stride=(2, 1), padding=(1, 1), output_padding=0, groups=2, dilation=(1, 2))
    return (v18, v19, v20, v21, v24, v25, v29, v31, v33, v35, v37, v38, v39, v40, v41, v42,
        v43)
