# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(5727)
    return (
        torch.rand((4, 2, 2, 2), generator=g),
        torch.rand((4, 1), generator=g, dtype=torch.float16) * 0.9375 + 0.0625,
        torch.randint(0, 3, (1,), generator=g).expand(3),
        torch.rand((4, 2, 2, 3), generator=g) + 1.0,
        torch.randn((4, 4), generator=g, dtype=torch.float16).clamp(-8, 8),
        (torch.rand((2, 6), generator=g, dtype=torch.complex64) + (1 + 1j)).requires_grad_(),
        torch.rand((4, 4), generator=g) * 6 - 3.0,
        (torch.rand((4, 4), generator=g, dtype=torch.float16) * 7.9375 + 0.0625).requires_grad_(),
        torch.rand((4, 1), generator=g, dtype=torch.float16).requires_grad_(),
        torch.rand((4, 1), generator=g, dtype=torch.float16) * 2,
        (torch.rand((2, 6), generator=g) + 2.0).requires_grad_(),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10):
    v11 = torch.nn.functional.pad(v0, (1, 0), "constant", 0.5)
    v12 = torch.reciprocal_(v1)
    v13 = v11.index_add_(-1, v2, v3, alpha=0.5)
    v14 = torch.lerp(v12, v4, 0.75)
    v15 = torch.triu_indices(4, 3, offset=0, dtype=torch.int64)
    v16 = torch.fft.ifftn(v5, s=(6,), dim=(-1,), norm="backward")
    v17 = torch.nn.functional.interpolate(v13, size=2, mode="bilinear", align_corners=True, antialias=True)
    v18 = torch._higher_order_ops.associative_scan(lambda a, b: torch.maximum(a, b), v11, 2, reverse=True, combine_mode="generic")
    v19 = torch.isneginf(v14)
    v20 = v17.flip((1, -2, 0, 3))
    v21 = v4.ge_(v6)
    v22 = torch.nn.functional.huber_loss(v21, v14, weight=v7, delta=1.0, reduction="sum")
    v23 = torch.nn.functional.dropout2d(v20, 0.25, False)
    v24 = torch.nn.functional.binary_cross_entropy_with_logits(v12, v8, pos_weight=v9)
    v25 = v11 * v22
    v26 = torch.nn.functional.max_pool2d(v17, kernel_size=1, stride=1, padding=(0, 0))
    v27 = torch.fft.ifft(v26, n=2, dim=3, norm="forward")
    v28 = torch.nn.functional.dropout1d(v14, p=0.0, training=True)
    v29 = v18.std(dim=1, correction=0.5)
    v30 = v10.mvlgamma(2)
    return v15, v16, v19, v23, v24, v25, v27, v28, v29, v30
