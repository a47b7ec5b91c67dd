"""Configuration switches that several backends share: compile configurations that must not change a result.

A backend's SWITCHES gives each a name and one of two forms. A dict is merged into the options of the compile call, in
the order in which the switches are named. A function takes the compile function so far and returns another one, which
sets something before it calls the former, or compiles by other means. A switch whose attribute `needs` names something
that this torch lacks is not offered.
"""

import functools
import os
import tempfile

import torch

from ..compat import compiler


def setting(config, **values):
    """Sets entries of one of torch's configurations; between programs the runner puts them back."""

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
    """Those switches that this torch has all names for."""
    return {name: switch for name, switch in switches.items() if all(map(compiler.has, getattr(switch, "needs", ())))}


class Refused(Exception):
    """A compile configuration that declares it can't take this program."""


_REFUSALS = (
    "UserError",
    "Unsupported",
    "GuardOnDataDependentSymNode",
    "SpecViolationError",
    "UnsupportedOperatorException",
)


def _counted(name):
    """Dynamo's counters, for configurations that compile without Dynamo."""
    counters = compiler.counters
    if counters is None:
        return
    counters["frames"]["total"] += 1
    counters["frames"]["ok"] += 1
    counters["stats"]["unique_graphs"] += 1
    counters["configurations"][name] += 1


class _Whole(torch.nn.Module):
    """A function as a module. Modules that it names as globals are parts of it, so that their parameters are known."""

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
    """torch.export, anew at each call, because a call may find other shapes and other globals; then the exported
    program is run. What Python does besides computing happens while it is exported, if at all."""

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
    """AOTInductor: exported, compiled into a shared library, loaded and run. It has no backward."""

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
    """Inductor without the decompositions of operators that it can lower itself."""

    def compiled(fn, **options):
        rules, lowerings = compiler.decompositions.items(), compiler.lowerings
        kept = {operator: rule for operator, rule in rules if operator not in lowerings}
        patches = options.pop("options", None)
        backend = functools.partial(compiler.compile_fx, config_patches=patches, decompositions=kept)
        return torch.compile(fn, backend=backend, **options)

    return compiled


@needing("default_partition", "CustomPartitionerFn", "custom_partitioner_fn")
def plain_partition(compile):
    """Forward and backward are cut apart plainly, nothing is computed twice."""

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


# Of every backend that goes through Dynamo.
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
# Of those that go through AOTAutograd as well.
AOT = {
    **DYNAMO,
    "no_cse": entry("cse", False),
    "no_view_replay": entry("view_replay_for_aliased_outputs", False),
    "recompute_all": entry("aggressive_recomputation", True),
    "recompute_views": entry("recompute_views", True),
    "no_donated_buffers": entry("donated_buffer", False),
}
