# judge: agree
# backend: aot_eager
# class: state_after
# rule: bitwise
# construct: torch.compile of a helper, kept by a global closure
# why: What torch keeps in a compiled function is no state of the program.
import torch


def make_inputs():
    return (torch.arange(3.0),)


def half(x):
    return x * 0.5


def around(inner):
    def called(x):
        return inner(x) + 1

    return called


helper = torch.compile(half, backend="eager")
outer = around(helper)


def program(x):
    y = outer(x)
    y.trunc_()  # the compiled tensor's version is another
    return y + helper(x), y
