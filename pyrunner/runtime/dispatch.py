"""What torch's dispatcher and autograd keep for a thread. Guards put it back when they end, each what it found: guards
that end out of order, or never, leave it changed for all that runs behind them."""

import torch
from torch.autograd import forward_ad

_SETS = (
    (torch._C._dispatch_tls_local_exclude_set, torch._C._dispatch_tls_set_dispatch_key_excluded),
    (torch._C._dispatch_tls_local_include_set, torch._C._dispatch_tls_set_dispatch_key_included),
)

_depth = torch._C._functorch.get_dynamic_layer_stack_depth


def snapshot():
    """Which dispatch keys are switched off, and which on."""
    return tuple(local() for local, _ in _SETS)


def leave_transforms():
    """Ends functorch's levels that are still open: inside one a new tensor has no memory of its own to read."""
    if _depth() > 0:
        torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth(0)


def restore(saved):
    """Puts all back; False when something is left."""
    leave_transforms()
    while forward_ad._current_level >= 0:
        forward_ad.exit_dual_level()
    torch._C._set_fwd_grad_enabled(True)
    while torch._C._autograd._top_saved_tensors_default_hooks(True) is not None:
        torch._C._autograd._pop_saved_tensors_default_hooks()
    if not torch._C._autograd._saved_tensors_hooks_is_enabled():
        torch._C._autograd._saved_tensors_hooks_enable()
    for (local, put), keys in zip(_SETS, saved):
        if local() != keys:
            _switch(local() - keys, put, False)
            _switch(keys - local(), put, True)
    return _depth() == 0 and snapshot() == saved


def _switch(keys, put, on):
    while keys.raw_repr():
        key = keys.highestPriorityTypeId()
        put(key, on)
        keys = keys.remove(key)
