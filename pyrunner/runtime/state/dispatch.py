"""Thread-local state of torch's dispatcher and of autograd. Guards restore it when they end, each to what it found:
guards that end out of order, or never, leave it changed for everything that runs afterwards."""

from ..compat import eager


def snapshot():
    """The dispatch keys that are switched off, and those that are switched on."""
    return tuple(local() for local, _ in eager.dispatch_keys)


def leave_transforms():
    """Ends functorch levels that are still open, because a new tensor inside one has no readable memory of its own."""
    return eager.end_transforms()


def restore(saved):
    """Restores everything; False if something could not be restored."""
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
