# transformers: a random T5 encoder, with its logarithmic buckets of relative positions.
import torch
from transformers import T5Config, T5EncoderModel

torch.manual_seed(0)
model = T5EncoderModel(T5Config(vocab_size=50, d_model=32, d_kv=8, d_ff=48, num_layers=2, num_heads=4,
                                dropout_rate=0.0, relative_attention_num_buckets=8))


def make_inputs():
    return (torch.arange(40).reshape(2, 20) * 7 % 50,)


def program(tokens):
    return model(input_ids=tokens).last_hidden_state
