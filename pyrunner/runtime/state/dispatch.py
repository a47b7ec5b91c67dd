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
            for key in _keys_of(local() - keys):
                put(key, False)
            for key in _keys_of(keys - local()):
                put(key, True)
    now = snapshot()
    return whole and (now == saved or all(_alike(one, other) for one, other in zip(now, saved)))


def _alike(one, other):
    return not _keys_of(one - other) and not _keys_of(other - one)


def _keys_of(keys):
    """A list of the keys in a set. A set without keys need not be equal to an empty one: in torch 2.11 it may still name
    devices whose keys were taken out."""
    found = []
    while True:
        key = keys.highestPriorityTypeId()
        rest = keys.remove(key)
        if rest == keys:
            return found
        found.append(key)
        keys = rest
