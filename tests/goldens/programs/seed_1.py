# generator 24
import torch


def make_inputs():
    g = torch.Generator().manual_seed(5727)
    return (
        torch.rand((4, 2, 2, 2), generator=g),
        torch.rand((4, 1), generator=g, dtype=torch.float16) * 0.9375 + 0.0625,
        torch.randint(0, 3, (1,), generator=g).expand(3),
        torch.rand((4, 2, 2, 3), generator=g) + 1.0,
        torch.randn((4, 4), generator=g, dtype=torch.float16).clamp(-8, 8),
        torch.rand((4, 4), generator=g, dtype=torch.float16) * 6 - 3.0,
        (torch.rand((4, 4), generator=g, dtype=torch.float16) + 1.0).requires_grad_(),
        torch.rand((4, 2, 2, 3), generator=g).requires_grad_(),
        (torch.rand((2, 6), generator=g) * 2 + 2.0).requires_grad_(),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8):
    v9 = torch.nn.functional.pad(v0, (1, 0), "constant", 0.5)
    v10 = torch.reciprocal_(v1)
    v11 = v9.index_add_(-1, v2, v3, alpha=0.5)
    v12 = torch.lerp(v10, v4, 0.75)
    v13 = torch.triu_indices(4, 3, offset=0, dtype=torch.int32)
    v14 = torch.fft.ifftn(v9, s=(2, 4, 2,), dim=(2, -4, -3), norm="ortho")
    v15 = torch.nn.functional.interpolate(v11, size=(2, 3), mode="bilinear")
    v16 = torch._higher_order_ops.associative_scan(lambda a, b: a + b, v15, 1, reverse=False, combine_mode="generic")
    v17 = torch.isneginf(v12)
    v18 = v16.flip((-3, 2, 0, 3))
    v19 = v4.ge_(v5)
    v20 = torch.nn.functional.huber_loss(v19, v12, weight=v6, delta=1.0)
    v21 = torch.nn.functional.dropout2d(v9, 0.0, True)
    v22 = torch.nn.functional.binary_cross_entropy_with_logits(v9, v7, weight=v3, reduction="sum")
    v23 = v14 * v16
    v24 = torch.nn.functional.max_pool2d(v21, kernel_size=(2, 2), stride=(2, 3), padding=(0, 1), ceil_mode=True)
    v25 = torch.fft.ifft(v23, n=3, dim=0, norm="forward")
    v26 = torch.nn.functional.dropout1d(v10, p=0.0, training=True, inplace=True)
    v27 = v15.std(dim=(-1, 0, -3), keepdim=True, correction=0.5)
    v28 = v8.mvlgamma(2)
    return v13, v17, v18, v20, v22, v24, v25, v26, v27, v28
