# generator 16
import torch


def make_inputs():
    g = torch.Generator().manual_seed(6696)
    return (
        torch.randn((2, 3, 1, 6, 16), generator=g).clamp(-2, 2),
        torch.rand((2, 3, 1, 4, 1), generator=g) * 1.875 - 0.9375,
        torch.rand((3, 2, 1), generator=g, dtype=torch.float16) * 1.9375 + 0.0625,
        torch.randint(-24, 24, (2,), generator=g),
        torch.rand((2,), generator=g) * 2 - 1.0,
        torch.rand((2, 16, 9, 4), generator=g) + 0.5,
        torch.randint(-9, 10, (2,), generator=g),
        torch.randint(0, 10, (16, 3), generator=g),
        torch.randint(-3, 4, (8, 16, 2), generator=g),
        torch.randint(0, 10, (8, 2, 3), generator=g),
        torch.randint(-100, 101, (16, 3), generator=g),
        torch.randint(0, 3, (1, 3), generator=g),
    )


def program(v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11):
    v12 = torch.nn.functional.adaptive_max_pool3d(v0, (None, 4, 1))
    v13 = torch.triu(v12, -3)
    v14 = v13.gt_(v12)
    v15 = v1.asin_()
    v16 = v15.fmin(v14)
    v17 = torch.nn.functional.lp_pool2d(v2, norm_type=3, kernel_size=(2, 1), stride=(3, 2), ceil_mode=True)
    v18 = torch.take(v16, v3, out=v4)
    v19 = torch.roll(v17, 6)
    v20 = torch.nn.functional.mish(v19)
    v21 = torch.neg_(v16)
    v22, v23 = v5.unbind(0)
    v24, v25, v26 = torch._foreach_exp_([v21, v18, v15])
    v27 = v3.eq_(v6)
    v28 = v27.bincount(minlength=3)
    v29 = v7.addbmm_(v8, v9)
    v30 = torch.nn.functional.hardshrink(v23)
    v31 = torch.sgn(v29, out=v10)
    v32 = v31.gather(-1, v11)
    v33 = v20.baddbmm_(v17, v19, beta=2.0, alpha=-1.0)
    v34 = torch.nn.functional.adaptive_max_pool3d(v5, (None, 4, None))
    return v22, v24, v25, v26, v28, v30, v32, v33, v34
