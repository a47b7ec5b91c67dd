"""A backend with one planted fault, chosen by the environment variable FAULT; without it, it compiles nothing."""

import os
import time

import torch


def words(error):
    raise AssertionError(str(error)) from None


def cause(error):
    raise AssertionError("planted") from error


def hidden(error):
    raise AssertionError("planted") from None


def dimension(error):
    raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 3)")


# How a compiler refuses what eager refuses.
REFUSALS = {"words": words, "cause": cause, "hidden": hidden, "dimension": dimension}


def compile(fn, **options):
    fault = os.environ.get("FAULT", "")

    def compiled(*arguments):
        if fault == "raises":
            raise ValueError("planted")
        if fault == "death":
            os.kill(os.getpid(), 11)
        if fault == "hang":
            time.sleep(1000)
        if fault == "memory":
            return torch.ones(1 << 31), fn(*arguments)
        if fault == "accepts":
            try:
                return fn(*arguments)
            except RuntimeError:
                return None
        if fault in REFUSALS:
            try:
                return fn(*arguments)
            except RuntimeError as error:
                REFUSALS[fault](error)
        if fault == "backward":
            return Backward.apply(fn(*arguments))
        output = fn(*arguments)
        if fault == "value":
            output = output + 1
        if fault == "dtype":
            output = output.double()
        if fault == "gradient":
            output = output + (output - output.detach())
        if fault == "detached":
            output = output.detach()
        if fault == "inputs":
            with torch.no_grad():
                arguments[0].add_(1)
        if fault == "state":
            fn.__globals__["counter"]["calls"] += 1
        if fault == "printed":
            print("more")
        if fault == "mode":
            torch.set_grad_enabled(False)
        return output

    if fault == "compile":
        raise AssertionError("planted")
    return compiled


class Backward(torch.autograd.Function):
    @staticmethod
    def forward(context, x):
        return x.clone()

    @staticmethod
    def backward(context, gradient):
        raise ValueError("planted")
