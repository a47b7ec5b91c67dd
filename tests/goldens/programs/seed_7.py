# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(7085)
    return (
        torch.rand((2, 4), generator=g, dtype=torch.bfloat16) + 0.5,
        torch.rand((7, 17), generator=g, dtype=torch.float64) * 2.9375 + 0.0625,
        (torch.rand((1, 4), generator=g, dtype=torch.bfloat16) * 2 + 1.0).expand(2, 4),
        torch.rand((7, 17), generator=g, dtype=torch.float64) * 2 + 1.0,
        torch.rand((2, 5, 17, 4), generator=g, dtype=torch.float16),
        torch.randn((1, 4, 4), generator=g, dtype=torch.float64).clamp(-2, 2),
        torch.randn((1,), generator=g).clamp(-3, 3),
        torch.randint(-1, 1, (3,), generator=g),
        torch.rand((1,), generator=g, dtype=torch.float64) * 7.9375 + 0.0625,
        torch.rand((6,), generator=g, dtype=torch.bfloat16) * 6 - 3.0,
        torch.rand((4,), generator=g, dtype=torch.bfloat16),
        torch.rand((2, 5, 11, 9), generator=g, dtype=torch.float64) + 0.5,
        torch.rand((7, 17), generator=g, dtype=torch.float64) * 16 - 8.0,
        torch.randn((6, 4), generator=g, dtype=torch.bfloat16).clamp(-1, 1),
        torch.rand((1,), generator=g, dtype=torch.float64) * 16 - 8.0,
        (torch.rand((17, 6, 17, 2), generator=g, dtype=torch.float64) + 1.0)[..., ::2],
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13, v14, v15):
    v16, v17 = torch._foreach_pow([v0, v1], [v2, v3])
    v18 = torch.exp(v16)
    v19 = torch.nn.functional.interpolate(v4, (11, 9), mode="nearest-exact")
    v20, v21 = torch.linalg.slogdet(v5 + 17 * torch.eye(4, dtype=torch.float64))
    v22 = torch.vstack([v18, v16, v2])
    v23 = v6.float()
    v24 = torch.tan(v19)
    v25 = v23[v7]
    v26 = v20.addcdiv_(v21, v8)
    v27 = torch.nn.functional.adaptive_max_pool3d(v24, output_size=(2, 6, None))
    v28 = v22.addr_(v9, v10, beta=2.0, alpha=0.5)
    v29, v30, v31 = torch._foreach_neg_([v28, v17, v21])
    v32 = torch.exp2(v16)
    v33 = torch.minimum(v24, v26, out=v11)
    v34 = v25.exp2()
    v35 = v32.reciprocal_()
    v36, v37, v38 = torch._foreach_maximum([v30, v29, v20], [v12, v13, v14])
    v39 = torch.linalg.vector_norm(v34, ord=2.0, dim=None, keepdim=True)
    v40 = torch.maximum(v33, v20)
    v41 = torch.squeeze_copy(v15, dim=3)
    return v27, v31, v35, v36, v37, v38, v39, v40, v41
