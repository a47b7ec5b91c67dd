"""Private names of Dynamo, AOTAutograd and Inductor."""

import importlib.util
import os
import sys

from . import headers, savings
from .names import Name, Table

# The compiler marks what it has seen with attributes that begin with these prefixes.
MARKS = ("_dynamo", "_torchdynamo", "_is_torch_compile", "_compiled_call_impl")
FUNCTION_MARK = "_torchdynamo"  # on functions; some of these attributes are IDs
_NOT_TRACED = "_torchdynamo_disable"  # on a function that Dynamo leaves to Python
_DISABLED = "__dynamo_disable"  # on a function that torch keeps Dynamo out of: what is called instead
_CODE_CACHE = "torch._inductor.codecache"
_TRACED = "Dynamo failed to run FX node"  # how the exceptions begin that Dynamo raises in a program that it traces


def imported():
    """Whether this process has imported the compiler. As long as it hasn't, nothing of it can have been set, compiled
    or raised. Looking up most names of this module imports it, which takes seconds."""
    return "torch._dynamo" in sys.modules


def is_own_error(error):
    """Whether the exception is of a type of the compiler's own, which may wrap another exception."""
    return imported() and (type(error).__module__ or "") in TABLE("ERROR_MODULES")


def carries_another(error):
    """Whether it is an exception that Dynamo raises in the program that it traces, in place of the one behind it, and what
    carries it there."""
    if type(error) is RuntimeError:
        return str(error).startswith(_TRACED)
    return is_own_error(error) and any(base.__name__ == "ObservedException" for base in type(error).__mro__)


def is_of_inductor(error):
    """Whether the exception is of a type that Inductor defines."""
    return imported() and (type(error).__module__ or "").startswith(TABLE("INDUCTOR_PREFIX"))


def not_traced(function):
    """Marks a function into which Dynamo must not look: the graph breaks where a program calls it, as for a builtin."""
    setattr(function, _NOT_TRACED, True)
    return function


def without_compiler(mode):
    """Decorates a class of dispatch modes. Torch keeps Dynamo out of a mode's method, for which it imports Dynamo before
    the first operator; here this happens when something else has imported it."""
    wrapped = mode.__torch_dispatch__
    method = getattr(wrapped, "__wrapped__", None)
    if method is None:
        return mode

    def call(*arguments, **keywords):
        if not imported():
            return method(*arguments, **keywords)
        delattr(method, _DISABLED)  # the wrapper makes its own
        return wrapped(*arguments, **keywords)

    setattr(method, _DISABLED, call)
    return mode


def isolates():
    """Whether everything of the compiler that a run may leave behind can be restored. What isn't imported has left
    nothing; the configuration of symbolic shapes is there with torch itself."""
    return TABLE.isolates() if imported() else TABLE.has("Overrides")


def _nothing(*_):
    return None


def _configuration(module):
    return Name(module, "its entries can't be set", instead=None)


def _entry(module, key):
    lost = f"configuration switches that set {key} are not offered"
    return Name(f"{module}.{key}", lost, make=lambda _: (sys.modules[module], key))


def _compiled_since(counters, _):
    from torch._dynamo.convert_frame import input_codes

    return lambda: bool(counters or input_codes.seen)


def _devices_forgotten(known_triton, _):
    def forget():
        known_triton.cache_clear()
        sys.modules[_DEVICES]._device_initialized = False

    return forget


def _pattern_passes(lazy_init, _):
    from torch._inductor.fx_passes import joint_graph

    def passes():
        lazy_init()  # fills the list
        return joint_graph.pass_patterns

    return passes


def add_headers(folder, temporary):
    """Inductor compiles a header for each set of the C++ compiler's flags and keeps it in a folder inside `temporary`
    that all processes share, which programs under test only read. From here on it looks for them in `folder`, where
    those that are kept are added before the first is needed. If Inductor isn't imported yet, this happens when it is."""
    def add():
        TABLE("add_headers_to")(folder, temporary)

    _once_imported(_CODE_CACHE, add)


def make_headers_whole():
    """From here on Inductor compiles a header anew that was not compiled to its end (headers.py). If Inductor isn't
    imported yet, this happens when it is."""
    _once_imported(_CODE_CACHE, lambda: TABLE("begin_whole_headers")())


def keep_random_numbers():
    """From here on AOTAutograd keeps operators whose random numbers nothing reads, as eager runs them, and Dynamo leaves
    numpy's random numbers to numpy (by default it draws them with torch), where this torch can be asked for that. If the
    compiler isn't imported yet, this happens when it is."""
    _once_set(_INDUCTOR, "fallback_random")
    _once_set(_DYNAMO, "use_numpy_random_stream")


def _once_set(module, switch):
    def ask():
        config = sys.modules[module]
        if hasattr(config, switch):
            setattr(config, switch, True)

    # Every run asks.
    if not any(isinstance(finder, _AfterImport) and finder.name == module for finder in sys.meta_path):
        _once_imported(module, ask)


def _once_imported(module, action):
    """Has it done now, or after the module's import."""
    if module in sys.modules:
        action()
    else:
        sys.meta_path.insert(0, _AfterImport(module, action))


class _AfterImport:
    """A finder on sys.meta_path that has something done after a module's import, once."""

    def __init__(self, name, action):
        self.name, self.action = name, action

    def find_spec(self, name, path=None, target=None):
        if name != self.name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            self.action()

        spec.loader.exec_module = exec_module
        return spec


class _Overrides:
    """The overrides of a configuration's entries, which take precedence over their defaults."""

    def __init__(self, configuration):
        self._configuration = configuration
        self._saved = [(entry, entry.user_override.get()) for entry in configuration._config.values()]

    def variables(self):
        """The context variables that hold the overrides."""
        return [entry.user_override for entry, _ in self._saved]

    def changed(self):
        """Whether any override that is held elsewhere is another one."""
        return False

    def put_back(self):
        for entry, override in self._saved:
            if entry.user_override.get() is not override:
                entry.user_override.set(override)

    def forget_copies(self):
        """Drops what the configuration has made of its settings and keeps, a copy of all of them or (torch 2.12) their
        hash; it may be outdated."""
        changed = getattr(self._configuration, "_get_dict_dirty_keys_var", None)
        if changed is not None:
            changed.set(None)
        else:
            self._configuration._is_dirty = True


class _PlainOverrides:
    """The same where the entries hold them (torch 2.11)."""

    def __init__(self, configuration):
        self._configuration = configuration
        self._saved = [(entry, entry.user_override) for entry in configuration._config.values()]

    def variables(self):
        return []

    def changed(self):
        return any(entry.user_override is not override for entry, override in self._saved)

    def put_back(self):
        for entry, override in self._saved:
            entry.user_override = override

    def forget_copies(self):
        self._configuration._is_dirty = True


def _checked_overrides(configuration, entries):
    held = all(hasattr(entry.user_override, "get") for entry in entries.values())
    kind = _Overrides if held else _PlainOverrides
    overrides = kind(configuration)
    overrides.variables()  # fails if entries don't have the expected form
    overrides.forget_copies()  # fails if settings can be kept in another way
    return kind


def _pass(name):
    return f"the graph pass {name} is not offered"


def _switch(name):
    return f"the configuration switch {name} is not offered"


_PASSES = "torch._inductor.fx_passes"
_DYNAMO, _INDUCTOR, _FUNCTORCH = "torch._dynamo.config", "torch._inductor.config", "torch._functorch.config"
_SHAPES = "torch.fx.experimental._config"
_DEVICES = "torch._dynamo.device_interface"

__getattr__ = TABLE = Table("torch", globals(), {
    # Configurations, and the entries of theirs that configuration switches set.
    "dynamo_config": _configuration(_DYNAMO),
    "inductor_config": _configuration(_INDUCTOR),
    "functorch_config": _configuration(_FUNCTORCH),
    "compiler_config": _configuration("torch.compiler.config"),
    "symbolic_shapes_config": _configuration(_SHAPES),
    "Overrides": Name(
        (_SHAPES, f"{_SHAPES}._config"),
        "what a run sets in the compiler's configuration can't be put back", make=_checked_overrides, instead=None,
        isolates=True),
    **{key: _entry(_DYNAMO, key) for key in (
        "specialize_int", "specialize_float", "capture_scalar_outputs", "capture_dynamic_output_shape_ops",
        "inline_inbuilt_nn_modules")},
    **{key: _entry(_FUNCTORCH, key) for key in (
        "cse", "view_replay_for_aliased_outputs", "aggressive_recomputation", "recompute_views", "donated_buffer")},
    "custom_partitioner_fn": _entry(_INDUCTOR, "custom_partitioner_fn"),

    "leave_stance": Name(
        ("torch._dynamo.eval_frame._set_stance", "torch._dynamo.eval_frame.DynamoStance"),
        "a stance that a run sets (torch.compiler.set_stance) can't be put back",
        make=lambda put, stance: lambda: put(stance()), instead=_nothing, isolates=True),

    # Counters and caches of what was compiled, and functions that clear them.
    "counters": Name(
        "torch._dynamo.utils.counters", "graphs, graph breaks and recompilations are not counted", instead=None),
    "compiled_since_reset": Name(
        ("torch._dynamo.utils.counters", "torch._dynamo.convert_frame.input_codes.seen"),
        "the compiler is reset after each run, which takes longer", make=_compiled_since, instead=lambda: True),
    "compilation_metrics": Name(
        "torch._dynamo.utils.get_compilation_metrics", "nodes and guards are not counted", instead=tuple),
    "guard_failures": Name("torch._dynamo.utils.guard_failures", "recompilations are not counted", instead={}),
    "inductor_metrics": Name(
        ("torch._inductor.metrics", "torch._inductor.metrics.ir_nodes_pre_fusion",
         "torch._inductor.metrics.generated_kernel_count", "torch._inductor.metrics.generated_cpp_vec_kernel_count"),
        "Inductor's kernels and nodes are not counted", instead=None),
    "trace_log": Name(
        "torch._logging._internal.trace_log", "what compiling a program did is not reported", instead=None),
    "forget_compilation_metrics": Name(
        "torch._dynamo.utils.clear_compilation_metrics", "counts of one run go on in the next", instead=_nothing,
        isolates=True),
    "forget_inductor_metrics": Name(
        "torch._inductor.metrics.reset", "counts of one run go on in the next", instead=_nothing, isolates=True),
    "forget_fake_results": Name(
        "torch._subclasses.fake_tensor.FakeTensorMode.cache_clear",
        "what fake tensors cached in one run stays in the next", instead=_nothing, isolates=True),
    "forget_devices": Name(
        ("torch.utils._triton.has_triton", f"{_DEVICES}._device_initialized"),
        "Inductor does not find the GPU in processes that were forked of one without", instead=_nothing,
        make=_devices_forgotten),
    # These are scripted when they are imported, which would cost the first run that uses forward-mode differentiation
    # 100 ms.
    "jvp_decompositions": Name(
        "torch._decomp.decompositions_for_jvp", "runs that differentiate forwards take 100 ms longer", instead=None),

    # Where Inductor keeps headers that it has compiled (add_headers).
    "add_headers_to": Name(
        (f"{_CODE_CACHE}._HEADER_DIR", f"{_CODE_CACHE}._HEADER_LOCK_DIR", f"{_CODE_CACHE}._precompile_header"),
        "Inductor can't compile in the sandbox with flags that are not those of the first compilation",
        make=headers.adding, instead=_nothing),
    "begin_whole_headers": Name(
        (f"{_CODE_CACHE}._worker_compile_cpp", "torch.utils._filelock.FileLock"),
        "if a start is killed while it compiles Inductor's header, the cache folder must be emptied by hand",
        make=headers.making_whole, instead=_nothing),

    # What warm processes leave out of compiling (savings).
    "leave_out_guard_times": Name(
        "torch._dynamo.guards.profile_guard_manager", "if Dynamo times guards, compiling takes longer", instead=_nothing,
        make=savings.without_guard_times),
    "fill_dtype_table_once": Name(
        ("torch._inductor.dtype_propagation.DtypePropagationOpsHandler", "torch._inductor.utils.op_dtype_propagation_rules",
         "torch._inductor.codegen.common.pointwise_overrides_data"),
        "compiling with Inductor takes some milliseconds longer", instead=_nothing, make=savings.with_one_dtype_table),

    "leave_out_names_for_log": Name(
        ("torch._dynamo.symbolic_convert.get_funcname", "torch"),
        "if Dynamo looks up names for its log, compiling takes longer",
        instead=_nothing, make=savings.without_names_for_log),
    "keep_random_state": Name(
        ("torch._decomp.decompositions_for_rng.PhiloxStateTracker", "torch._functorch.config",
         "torch._functorch.config.functionalize_rng_ops"),
        "compiling with AOTAutograd takes some milliseconds longer", instead=_nothing,
        make=savings.with_one_random_state),

    # Modules whose exceptions are the compiler's own.
    "ERROR_MODULES": Name(
        ("torch._dynamo.exc", "torch._inductor.exc"), "errors of the compiler that wrap others are not looked into",
        make=lambda *modules: tuple(module.__name__ for module in modules), instead=()),
    "INDUCTOR_PREFIX": Name(
        "torch._inductor", "errors of Inductor whose frames are cut away are taken for Dynamo's",
        make=lambda module: module.__name__, instead="\0"),

    # Compile configurations that don't go through torch.compile.
    "tree_leaves": Name("torch.utils._pytree.tree_leaves", _switch("aoti")),
    "aoti_package": Name("torch._inductor.aoti_compile_and_package", _switch("aoti")),
    "aoti_load": Name("torch._inductor.aoti_load_package", _switch("aoti")),
    "compile_fx": Name("torch._inductor.compile_fx.compile_fx", _switch("fewer_decompositions")),
    "decompositions": Name("torch._inductor.decomposition.decompositions", _switch("fewer_decompositions")),
    "lowerings": Name("torch._inductor.lowering.lowerings", _switch("fewer_decompositions")),
    "default_partition": Name("torch._functorch.partitioners.default_partition", _switch("plain_partition")),
    "CustomPartitionerFn": Name(
        "torch._inductor.custom_graph_pass.CustomPartitionerFn", _switch("plain_partition")),
    "options_of_mode": Name(
        "torch._inductor.list_mode_options", "options that name a mode of Inductor are refused"),

    # Graph passes of the backend `passes`.
    "aot_autograd": Name("torch._dynamo.backends.common.aot_autograd", "the backend passes is not offered"),
    "make_boxed_func": Name("torch._functorch.aot_autograd.make_boxed_func", "the backend passes is not offered"),
    "detect_fake_mode": Name("torch._guards.detect_fake_mode", "the backend passes is not offered"),
    "FakeTensor": Name("torch._subclasses.fake_tensor.FakeTensor", "the backend passes is not offered"),
    "FakeTensorMode": Name("torch._subclasses.fake_tensor.FakeTensorMode", "the backend passes is not offered"),
    "set_fake_mode": Name("torch._inductor.virtualized.V.set_fake_mode", "the backend passes is not offered"),
    "fx_graph_cse": Name("torch._functorch.compile_utils.fx_graph_cse", _pass("cse")),
    "fold_uniform_values": Name(
        f"{_PASSES}.joint_graph.constant_fold_uniform_value", _pass("constant_folding")),
    "fold_constants": Name("torch._inductor.constant_folding.constant_fold", _pass("constant_values")),
    "select_decompositions": Name("torch._inductor.decomposition.select_decomp_table", _pass("decompose")),
    "core_decompositions": Name("torch._decomp.core_aten_decompositions", _pass("core_decompose")),
    "reinplace": Name(f"{_PASSES}.reinplace.reinplace_inplaceable_ops", _pass("reinplace")),
    "FakeTensorUpdater": Name("torch._inductor.fx_utils.FakeTensorUpdater", _pass("reinplace")),
    "remove_noops": Name(f"{_PASSES}.post_grad.remove_noop_ops", _pass("noop_removal")),
    "pattern_passes": Name(
        (f"{_PASSES}.joint_graph.lazy_init", f"{_PASSES}.joint_graph.pass_patterns"), _pass("pattern_matcher"),
        make=_pattern_passes),
    "joint_graph_passes": Name(f"{_PASSES}.joint_graph.joint_graph_passes", _pass("joint")),
    "remove_redundant_views": Name(f"{_PASSES}.joint_graph.remove_redundant_views", _pass("redundant_views")),
    "view_to_reshape": Name(f"{_PASSES}.post_grad.view_to_reshape", _pass("view_to_reshape")),
    "reorder_for_locality": Name(f"{_PASSES}.post_grad.reorder_for_locality", _pass("reorder")),
})
has = TABLE.has
