"""What torch's dispatcher and autograd keep for a thread. Guards put it back when they end, each what it found: guards
that end out of order, or never, leave it changed for all that runs behind them."""

from ..compat import eager


def snapshot():
    """Which dispatch keys are switched off, and which on."""
    return tuple(local() for local, _ in eager.dispatch_keys)


def leave_transforms():
    """Ends functorch's levels that are still open: inside one a new tensor has no memory of its own to read."""
    return eager.end_transforms()


def restore(saved):
    """Puts all back; False when something is left."""
    whole = eager.end_transforms()
    eager.end_forward_mode()
    eager.drop_saved_tensor_hooks()
    for (local, put), keys in zip(eager.dispatch_keys, saved):
        if local() != keys:
            _switch(local() - keys, put, False)
            _switch(keys - local(), put, True)
    return whole and snapshot() == saved


def _switch(keys, put, on):
    while keys.raw_repr():
        key = keys.highestPriorityTypeId()
        put(key, on)
        keys = keys.remove(key)
