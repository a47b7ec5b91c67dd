# transformers: a random Llama with grouped keys and rotary positions.
import torch
from transformers import LlamaConfig, LlamaModel

torch.manual_seed(0)
model = LlamaModel(LlamaConfig(vocab_size=50, hidden_size=32, intermediate_size=64, num_hidden_layers=2,
                               num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=32,
                               use_cache=False))


def make_inputs():
    return (torch.arange(12).reshape(2, 6) * 5 % 50,)


def program(tokens):
    return model(input_ids=tokens).last_hidden_state
