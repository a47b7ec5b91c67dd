# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7085)
    return (
        torch.rand((2, 4), generator=g, dtype=torch.bfloat16) + 0.5,
        torch.rand((4,), generator=g) * 1.9375 + 0.0625,
        torch.randn((2, 16, 5), generator=g).clamp(-1, 1),
        torch.rand((15, 2, 2), generator=g) + 0.5,
        torch.randn((2, 16, 12), generator=g).clamp(-1, 1),
        torch.rand((15,), generator=g) + 1.0,
        torch.rand((8, 17, 8, 1), generator=g, dtype=torch.float64) * 16 - 8.0,
        torch.rand((2,), generator=g, dtype=torch.bfloat16),
        torch.rand((4,), generator=g, dtype=torch.bfloat16) * 2 - 1.0,
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9, v10 = torch._foreach_pow([v0, v1], 1.5)
    v11 = torch.exp(v9)
    v12 = torch.nn.functional.interpolate(v2, 12)
    v13, v14 = torch.linalg.slogdet(v3 + 7 * torch.eye(2, dtype=torch.float32))
    v15 = torch.vstack((v12, v4,))
    v16 = v14.float()
    v17 = torch.tan(v2)
    v18 = v14[[2, 13, 9]]
    v19 = v13.addcdiv_(v16, v5, value=3.0)
    v20 = torch.nn.functional.adaptive_max_pool3d(v6, output_size=(6, 2, 6))
    v21 = v11.addr_(v7, v8)
    v22, v23 = torch._foreach_neg([v20, v16])
    v24 = torch.exp2(v18)
    v25 = torch.minimum(v23, v19)
    v26 = torch.exp2(v11, out=v9)
    v27 = torch.reciprocal_(v21)
    v28, v29, v30 = torch._foreach_maximum([v20, v17, v23], [v22, v2, v25])
    v31 = torch.linalg.vector_norm(v27, ord=3)
    v32 = torch.maximum(v24, v31, out=v18)
    v33 = torch.squeeze_copy(v22)
    return v10, v15, v26, v28, v29, v30, v32, v33
