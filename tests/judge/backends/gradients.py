"""A compiler that loses or spoils gradients of what a function does right: a wrapper around the plain function.

Option: `fault`, a function of FAULTS that takes the function and gives the compiled one.
"""

import torch

FAULTS = {}


def fault(function):
    FAULTS[function.__name__] = function
    return function


@fault
def one_gradient_lost(fn):
    return lambda first, second, *others: fn(first, second.detach(), *others)


@fault
def one_gradient_twice(fn):
    def compiled(first, *others):
        first.register_hook(lambda gradient: gradient * 2)
        return fn(first, *others)

    return compiled


@fault
def gradients_begin_anew(fn):
    """What the first argument has of gradients is forgotten."""

    def compiled(first, *others):
        first.grad = None
        return fn(first, *others)

    return compiled


@fault
def parameter_gradients_lost(module):
    def compiled(*arguments):
        state = {name: item.detach() if name.endswith("bias") else item for name, item in module.named_parameters()}
        return torch.func.functional_call(module, state, arguments)

    return compiled


@fault
def gradient_of_product_mixed(fn):
    """Gradients of the first two arguments, of one shape, are exchanged."""

    def compiled(first, second):
        class Exchange(torch.autograd.Function):
            @staticmethod
            def forward(ctx, one, other):
                return one.clone(), other.clone()

            @staticmethod
            def backward(ctx, one, other):
                return other, one

        return fn(*Exchange.apply(first, second))

    return compiled


@fault
def argument_requires_gradients(fn):
    """The first argument requires gradients afterwards."""

    def compiled(first, *others):
        result = fn(first, *others)
        first.requires_grad_()
        return result

    return compiled


@fault
def second_output_detached(fn):
    def compiled(*arguments):
        first, second = fn(*arguments)
        return first, second.detach()

    return compiled


@fault
def attribute_gradient_twice(module):
    """The gradient of tensors that are plain attributes is doubled."""

    def compiled(*arguments):
        for item in vars(module).values():
            for one in item if isinstance(item, list) else [item]:
                if isinstance(one, torch.Tensor):
                    one.register_hook(lambda gradient: gradient * 2)
        return module(*arguments)

    return compiled


def compile(fn, fault, **options):
    return FAULTS[fault](fn)
