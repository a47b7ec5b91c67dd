# transformers: the encoder of a random wav2vec 2.0, with its weight-normalised convolution.
import torch
from transformers import Wav2Vec2Config, Wav2Vec2Model

torch.manual_seed(0)
model = Wav2Vec2Model(Wav2Vec2Config(hidden_size=24, num_hidden_layers=1, num_attention_heads=2, intermediate_size=32,
                                     conv_dim=(8, 8), conv_kernel=(10, 4), conv_stride=(5, 2),
                                     num_conv_pos_embeddings=8, num_conv_pos_embedding_groups=2, hidden_dropout=0.0,
                                     attention_dropout=0.0, activation_dropout=0.0, feat_proj_dropout=0.0,
                                     layerdrop=0.0, mask_time_prob=0.0)).eval()


def make_inputs():
    return (torch.randn(1, 200, generator=torch.Generator().manual_seed(1)).requires_grad_(),)


def program(sound):
    return model(sound).last_hidden_state
