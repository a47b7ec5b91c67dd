# x-transformers: an encoder with rotary positions, gated linear units and normalised attention.
import torch
from x_transformers import ContinuousTransformerWrapper, Encoder

torch.manual_seed(0)
program = ContinuousTransformerWrapper(dim_in=6, dim_out=5, max_seq_len=16,
                                       attn_layers=Encoder(dim=32, depth=2, heads=2, attn_dim_head=16, ff_glu=True,
                                                           rotary_pos_emb=True, attn_qk_norm=True))


def make_inputs():
    return (torch.randn(2, 9, 6, generator=torch.Generator().manual_seed(1)).requires_grad_(),)
