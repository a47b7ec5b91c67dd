"""Configuration switches that several backends share: compile configurations that must not change a result.

A backend's SWITCHES gives each a name and one of two forms. A dict is merged into the options of the compile call, in
the order in which the switches are named. A function takes the compile function so far and returns another one, which
sets something before it calls the former, or compiles in another way. A switch with an attribute `needs` is offered
only if this torch has all the names in it.
"""

import functools
import os
import tempfile

import torch

from ..compat import compiler


def setting(config, **values):
    """Sets entries of one of torch's configurations; the runner restores them between programs."""

    def switch(compile):
        def compiled(fn, **options):
            for name, value in values.items():
                setattr(config, name, value)
            return compile(fn, **options)

        return compiled

    return switch


def entry(key, value):
    """Sets one entry of the compiler's configuration, by its name in compat/compiler.py."""

    @needing(key)
    def switch(compile):
        module, name = getattr(compiler, key)
        return setting(module, **{name: value})(compile)

    return switch


def needing(*names):
    """Marks a switch that needs these names of compat/compiler.py."""

    def mark(switch):
        switch.needs = names
        return switch

    return mark


def offered(switches):
    """The switches for which this torch has all names."""
    return {name: switch for name, switch in switches.items() if all(map(compiler.has, getattr(switch, "needs", ())))}


class Refused(Exception):
    """A compile configuration rejects this program by design."""


_REFUSALS = (
    "UserError",
    "Unsupported",
    "GuardOnDataDependentSymNode",
    "SpecViolationError",
    "UnsupportedOperatorException",
)


def _counted(name):
    """Increments Dynamo's counters, for configurations that compile without Dynamo."""
    counters = compiler.counters
    if counters is None:
        return
    counters["frames"]["total"] += 1
    counters["frames"]["ok"] += 1
    counters["stats"]["unique_graphs"] += 1
    counters["configurations"][name] += 1


class _Whole(torch.nn.Module):
    """A function as a module. The modules among its globals become submodules, so that their parameters are known."""

    def __init__(self, fn):
        super().__init__()
        self.fn = fn
        for number, part in enumerate(_modules_named(fn)):
            self.add_module(f"part_{number}", part)

    def forward(self, *arguments):
        return self.fn(*arguments)


def _modules_named(fn):
    code, names = getattr(fn, "__code__", None), getattr(fn, "__globals__", {})
    found = [names.get(name) for name in code.co_names] if code is not None else []
    return [item for item in found if isinstance(item, torch.nn.Module)]


def _module_of(fn):
    return fn if isinstance(fn, torch.nn.Module) else _Whole(fn)


def _exported(fn, arguments, strict):
    try:
        return torch.export.export(_module_of(fn), arguments, strict=strict)
    except Exception as error:
        if type(error).__name__ in _REFUSALS or isinstance(error, (ValueError, TypeError)):
            raise Refused(f"torch.export refuses: {type(error).__name__}: {error}") from error
        raise


def exported(strict):
    """Exports with torch.export at each call, because shapes and globals may differ between calls, and runs the
    exported program. Side effects of the Python code happen during the export, if at all."""

    def switch(compile):
        def compiled(fn, **options):
            def call(*arguments):
                program = _exported(fn, arguments, strict)
                _counted("export")
                return program.module()(*arguments)

            return call

        return compiled

    return switch


@needing("tree_leaves", "aoti_package", "aoti_load")
def ahead_of_time(compile):
    """AOTInductor: the program is exported, compiled into a shared library, loaded and run. There is no backward."""

    def compiled(fn, **options):
        def call(*arguments):
            program = _exported(fn, arguments, strict=False)
            if torch.is_grad_enabled() and _wants_gradients(program, arguments):
                raise Refused("AOTInductor has no backward")
            with tempfile.TemporaryDirectory() as folder, torch.no_grad():
                package = os.path.join(folder, "program.pt2")
                compiler.aoti_package(program, package_path=package, inductor_configs=options.get("options"))
                loaded = compiler.aoti_load(package)
                _counted("aoti")
                return loaded(*arguments)

        return call

    return compiled


def _wants_gradients(program, arguments):
    tensors = [*compiler.tree_leaves(arguments), *program.parameters(), *program.constants.values()]
    return any(isinstance(item, torch.Tensor) and item.requires_grad for item in tensors)


@needing("compile_fx", "decompositions", "lowerings")
def fewer_decompositions(compile):
    """Inductor without the decompositions of operators that it can lower directly."""

    def compiled(fn, **options):
        rules, lowerings = compiler.decompositions.items(), compiler.lowerings
        kept = {operator: rule for operator, rule in rules if operator not in lowerings}
        patches = options.pop("options", None)
        backend = functools.partial(compiler.compile_fx, config_patches=patches, decompositions=kept)
        return torch.compile(fn, backend=backend, **options)

    return compiled


@needing("default_partition", "CustomPartitionerFn", "custom_partitioner_fn")
def plain_partition(compile):
    """Uses the default partitioner of forward and backward, which recomputes nothing."""

    def compiled(fn, **options):
        class Plain(compiler.CustomPartitionerFn):
            def __call__(self, graph, inputs, **keywords):
                keywords.pop("compiler", None)
                return compiler.default_partition(graph, inputs, **keywords)

            def uuid(self):
                return None

        module, name = compiler.custom_partitioner_fn
        setattr(module, name, Plain())
        return compile(fn, **options)

    return compiled


# Switches of every backend that goes through Dynamo.
DYNAMO = {
    "dynamic": {"dynamic": True},
    "static": {"dynamic": False},
    "automatic": {"dynamic": None},
    "specialize_int": entry("specialize_int", True),
    "specialize_float": entry("specialize_float", True),
    "capture_scalars": entry("capture_scalar_outputs", True),
    "capture_dynamic_shapes": entry("capture_dynamic_output_shape_ops", True),
    "no_inlined_modules": entry("inline_inbuilt_nn_modules", False),
}
# Switches of every backend that also goes through AOTAutograd.
AOT = {
    **DYNAMO,
    "no_cse": entry("cse", False),
    "no_view_replay": entry("view_replay_for_aliased_outputs", False),
    "recompute_all": entry("aggressive_recomputation", True),
    "recompute_views": entry("recompute_views", True),
    "no_donated_buffers": entry("donated_buffer", False),
}
