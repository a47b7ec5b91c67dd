# Takes away what every Python program relies on.
# expect: finished
import builtins

import torch


def program():
    builtins.len = None
    builtins.isinstance = lambda *_: False
    torch.relu = None
    torch.Tensor.add = None
    return 1
