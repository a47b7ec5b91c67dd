# judge: agree
# backend: backends/toolchain.py
# class: compiler_error
# rule: expected_refusal
# construct: signbit
# why: The C++ compiler fails in itself: the code that it was given is not to blame.
import torch


def make_inputs():
    return (torch.tensor([5.0, -6.0]),)


def program(x):
    return torch.signbit(x)


COMPILE_OPTIONS = {"said": "internal compiler error: in extract_insn, at recog.cc:2791"}
