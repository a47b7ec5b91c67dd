"""Private names of torch without its compiler."""

import contextlib
import functools
import operator

import torch
from torch.autograd import forward_ad

from .names import Lacks, Name, Table

# Types of tensors whose operators no code of the program's can see. Exact types: a subclass may be anything.
PLAIN_TENSORS = (torch.Tensor, torch.nn.Parameter)

NO_NOISE = "runs with perturbed roundings are refused"
NO_CONTROLS = "runs with perturbed roundings and runs with other free choices are refused"
# Below these dispatch keys autograd does not see what happens to a tensor.
_AUTOGRAD_KEYS = ("ADInplaceOrView", "AutogradCPU", "AutogradCUDA", "AutogradMeta", "AutogradOther")


def _nothing(*_):
    return None


def _guard_of(names):
    """A class whose contexts make the dispatcher skip the keys of these names."""

    def make(guard, key_set, keys):
        excluded = functools.reduce(operator.or_, [key_set(getattr(keys, name)) for name in names])
        return functools.partial(guard, excluded)

    return make


class NoDispatchMode:
    """Replaces the base class of dispatch modes; no instance can be made."""

    def __init__(self, *_):
        raise Lacks(f"this torch lacks {_DISPATCH_MODE}: {NO_CONTROLS}")


# Attributes in which a module stores its parameters, its buffers and its submodules.
MODULE_TABLES = ("_parameters", "_buffers", "_modules")
# Attributes in which a module stores its hooks: dicts, one without hooks is empty.
MODULE_HOOKS = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
_DISPATCH_MODE = "torch.utils._python_dispatch.TorchDispatchMode"
_GUARD = ("torch._C._ExcludeDispatchKeyGuard", "torch._C.DispatchKeySet", "torch._C.DispatchKey")


def _emptied(count, pop):
    def empty():
        while count() > 0:
            pop()

    return empty


def _cuda_hidden(torch_c, ensure_guard):
    """A function that hides CUDA, or shows it again; it returns whether it was hidden. Torch knows by the first name that
    it was built with CUDA; by the second it asks for devices from C++, in every compilation."""
    names, count, guard = vars(torch_c), "_cuda_getDeviceCount", "_ensureCUDADeviceGuardSet"
    built, kept = names.get(count), []

    def hide(now):
        before = bool(kept)
        if now and not before and built is not None:
            kept.append(built)
            del names[count]
            names[guard] = _nothing
        elif before and not now:
            names[count] = kept.pop()
            names[guard] = ensure_guard
        return before

    return hide


def _transforms_ended(depth, pop_to):
    def end():
        if depth() > 0:
            pop_to(0)
        return depth() == 0

    return end


def _forward_mode_ended(_level, enable):
    def end():
        while forward_ad._current_level >= 0:
            forward_ad.exit_dual_level()
        enable(True)

    return end


def _saved_tensor_hooks_dropped(top, pop, enabled, enable):
    def drop():
        while top(True) is not None:
            pop()
        if not enabled():
            enable()

    return drop


__getattr__ = TABLE = Table("torch", globals(), {
    # For reading values without being observed.
    "DisableTorchFunction": Name(
        "torch._C.DisableTorchFunction",
        "values are read through the function modes and tensor subclasses that the program has active",
        instead=contextlib.nullcontext),
    "dispatch_modes_off": Name(
        "torch.utils._python_dispatch._disable_current_modes",
        "values are read through the dispatch modes that the program leaves active",
        instead=contextlib.nullcontext),
    "below_subclasses": Name(
        _GUARD, "elements of tensor subclasses are read through their own dispatch",
        make=_guard_of(["Python"]), instead=contextlib.nullcontext),
    "TorchDispatchMode": Name(_DISPATCH_MODE, NO_CONTROLS, instead=NoDispatchMode),
    "below_autograd": Name(_GUARD, NO_CONTROLS, make=_guard_of(_AUTOGRAD_KEYS)),
    "lends_to_c": Name(
        "torch.Tensor.__dlpack_c_exchange_api__",
        "profiles ask for the properties of a tensor one by one, which takes longer", instead=None),

    # Properties of tensors and operators.
    "nested_tensors": Name(
        "torch.nested._internal.nested_tensor", "each process imports them in its first backward", instead=None),
    "version_of": Name(
        "torch.Tensor._version", "the version counters of tensors are not compared",
        make=lambda _: operator.attrgetter("_version"), instead=lambda tensor: -1),
    "storage_key": Name(
        "torch.UntypedStorage._cdata", "storages without memory count as one",
        make=lambda _: operator.attrgetter("_cdata"), instead=lambda storage: storage.data_ptr()),
    "view_base": Name(
        ("torch.Tensor._base", "torch.Tensor._is_view"),
        "runs in another precision or on another device are refused where inputs are views that require gradients",
        make=lambda *_: lambda tensor: tensor._base if tensor._is_view() else None),
    "sparse_indices": Name(
        "torch.Tensor._indices", "sparse tensors that are not coalesced can't be read", instead=torch.Tensor.indices),
    "sparse_values": Name(
        "torch.Tensor._values", "sparse tensors that are not coalesced can't be read", instead=torch.Tensor.values),
    "is_zero_tensor": Name(
        "torch.Tensor._is_zerotensor", "zeros without memory are known by their missing memory alone",
        instead=lambda tensor: False),
    "is_transform_wrapper": Name("torch._C._functorch.is_functorch_wrapped_tensor", NO_CONTROLS),
    "has_internal_overlap": Name(
        "torch._debug_has_internal_overlap", NO_NOISE, make=lambda find: lambda tensor: find(tensor) == 1),
    "conjugate_view": Name("torch._conj", NO_NOISE),
    "negative_view": Name("torch._neg_view", NO_NOISE),
    "schema_of": Name(
        "torch.ops.aten.add.Tensor._schema", NO_CONTROLS, make=lambda _: operator.attrgetter("_schema")),
    "overload_name": Name(
        "torch.ops.aten.add.Tensor._overloadname", NO_NOISE, make=lambda _: operator.attrgetter("_overloadname")),
    "HigherOrderOperator": Name("torch._ops.HigherOrderOperator", NO_CONTROLS),
    # Functions in Python: of the number that a tensor holds, and of the list that becomes a tensor.
    "optimizer_numbers": Name(
        ("torch.optim.optimizer._get_value", "torch.optim.optimizer._stack_if_compiling"),
        "runs with moved roundings count an optimizer's steps as eager does", make=lambda *both: both, instead=()),
    "eager_kernel_key": Name("torch._C.DispatchKey.CompositeExplicitAutograd", NO_CONTROLS),
    # Both raise AttributeError for a module whose __init__ has not called nn.Module's yet.
    "module_tables": Name(
        [f"torch.nn.Module().{table}" for table in MODULE_TABLES],
        "profiles read the parameters of modules by their public methods, which takes longer",
        make=lambda *_: operator.attrgetter(*MODULE_TABLES),
        instead=lambda module: (
            dict(module.named_parameters(recurse=False)), dict(module.named_buffers(recurse=False)),
            dict(module.named_children()))),
    "parameters_to_cast": Name(
        [f"torch.nn.Module().{table}" for table in MODULE_TABLES[:2]],
        "runs in another precision or on another device are refused for programs with modules",
        make=lambda *_: operator.attrgetter(*MODULE_TABLES[:2])),

    "hide_cuda": Name(
        ("torch._C", "torch._C._ensureCUDADeviceGuardSet"), "runs on a GPU fail in forks of a warm process",
        make=_cuda_hidden, instead=lambda now: False),

    # For reading and restoring the state of a process.
    "function_mode_count": Name(
        "torch._C._len_torch_function_stack", "function modes that a call leaves active are not recorded",
        instead=lambda: 0),
    "dispatch_mode_count": Name(
        "torch._C._len_torch_dispatch_stack", "dispatch modes that a call leaves active are not recorded",
        instead=lambda: 0),
    "end_function_modes": Name(
        ("torch._C._len_torch_function_stack", "torch._C._pop_torch_function_stack"),
        "function modes that a run leaves active can't be ended", make=_emptied, instead=_nothing, isolates=True),
    "end_dispatch_modes": Name(
        ("torch._C._len_torch_dispatch_stack", "torch._C._pop_torch_dispatch_stack"),
        "dispatch modes that a run leaves active can't be ended",
        make=lambda count, pop: _emptied(count, lambda: pop(None)), instead=_nothing, isolates=True),
    "end_transforms": Name(
        ("torch._C._functorch.get_dynamic_layer_stack_depth",
         "torch._C._functorch.pop_dynamic_layer_stack_and_undo_to_depth"),
        "levels of vmap and grad that a call leaves open can't be ended, and its values are read inside them",
        make=_transforms_ended, instead=lambda: True, isolates=True),
    "dispatch_keys": Name(
        ("torch._C._dispatch_tls_local_exclude_set", "torch._C._dispatch_tls_set_dispatch_key_excluded",
         "torch._C._dispatch_tls_local_include_set", "torch._C._dispatch_tls_set_dispatch_key_included"),
        "dispatch keys that a run leaves switched on or off can't be put back",
        make=lambda excluded, exclude, included, include: ((excluded, exclude), (included, include)),
        instead=(), isolates=True),
    "end_forward_mode": Name(
        ("torch.autograd.forward_ad._current_level", "torch._C._set_fwd_grad_enabled"),
        "levels of forward differentiation that a run leaves open can't be ended",
        make=_forward_mode_ended, instead=_nothing, isolates=True),
    "drop_saved_tensor_hooks": Name(
        ("torch._C._autograd._top_saved_tensors_default_hooks", "torch._C._autograd._pop_saved_tensors_default_hooks",
         "torch._C._autograd._saved_tensors_hooks_is_enabled", "torch._C._autograd._saved_tensors_hooks_enable"),
        "hooks on saved tensors that a run leaves set can't be dropped",
        make=_saved_tensor_hooks_dropped, instead=_nothing, isolates=True),
    "is_multithreading_enabled": Name(
        "torch._C._is_multithreading_enabled", "whether a call switches autograd's threads off is not recorded",
        instead=lambda: True),
    "set_multithreading_enabled": Name(
        "torch._C._set_multithreading_enabled", "autograd's threads can't be switched on again",
        instead=_nothing, isolates=True),
    # Torch's public function also sets an entry of a configuration, which is restored separately.
    "set_deterministic": Name(
        "torch._C._set_deterministic_algorithms", "putting it back between runs takes longer",
        make=lambda put: lambda: put(False, warn_only=False),
        instead=lambda: torch.use_deterministic_algorithms(False, warn_only=False)),
    "forget_default_device": Name(
        "torch._GLOBAL_DEVICE_CONTEXT", "putting it back between runs takes longer",
        make=lambda context: context.__dict__.clear, instead=lambda: torch.set_default_device(None)),
})
has, need = TABLE.has, TABLE.need
