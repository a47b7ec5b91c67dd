# judge: diverge
# backend: backends/exceptions.py
# class: value
# construct: except clauses in a row
# why: Another class arrives, and another handler answers.
import torch


def make_inputs():
    return (torch.ones(2, 3), torch.ones(2))


def program(x, y):
    try:
        return torch.matmul(y, x.t())
    except KeyError:
        return "key"
    except RuntimeError:
        return "runtime"


COMPILE_OPTIONS = {"fault": "key_errors"}
