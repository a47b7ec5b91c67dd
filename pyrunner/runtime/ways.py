"""Switches that several backends share: ways to compile that must not change a result.

A backend's SWITCHES gives each a name and one of two forms. A dict is merged into the options of the compile call, in
the order of the names thrown. A function takes the compile function so far and gives another: it sets something before
it calls the one it was given, or goes a way of its own and forgets it.
"""

import functools
import os
import tempfile

import torch


def setting(config, **values):
    """Sets entries of one of torch's configurations; between programs the runner puts them back."""

    def switch(compile):
        def compiled(fn, **options):
            for name, value in values.items():
                setattr(config, name, value)
            return compile(fn, **options)

        return compiled

    return switch


class Refused(Exception):
    """A way to compile that declares it can't take this program."""


_REFUSALS = (
    "UserError",
    "Unsupported",
    "GuardOnDataDependentSymNode",
    "SpecViolationError",
    "UnsupportedOperatorException",
)


def _counted(name):
    """Dynamo's counters, for ways that go past it."""
    counters = torch._dynamo.utils.counters
    counters["frames"]["total"] += 1
    counters["frames"]["ok"] += 1
    counters["stats"]["unique_graphs"] += 1
    counters["ways"][name] += 1


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


def ahead_of_time(compile):
    """AOTInductor: exported, compiled into a shared library, loaded and run. It has no backward."""

    def compiled(fn, **options):
        def call(*arguments):
            program = _exported(fn, arguments, strict=False)
            if torch.is_grad_enabled() and _wants_gradients(program, arguments):
                raise Refused("AOTInductor has no backward")
            with tempfile.TemporaryDirectory() as folder, torch.no_grad():
                package = os.path.join(folder, "program.pt2")
                torch._inductor.aoti_compile_and_package(
                    program, package_path=package, inductor_configs=options.get("options")
                )
                loaded = torch._inductor.aoti_load_package(package)
                _counted("aoti")
                return loaded(*arguments)

        return call

    return compiled


def _wants_gradients(program, arguments):
    tensors = [*torch.utils._pytree.tree_leaves(arguments), *program.parameters(), *program.constants.values()]
    return any(isinstance(item, torch.Tensor) and item.requires_grad for item in tensors)


def fewer_decompositions(compile):
    """Inductor without the decompositions of operators that it can lower itself."""

    def compiled(fn, **options):
        from torch._inductor import compile_fx, decomposition, lowering

        rules = decomposition.decompositions.items()
        kept = {operator: rule for operator, rule in rules if operator not in lowering.lowerings}
        patches = options.pop("options", None)
        backend = functools.partial(compile_fx.compile_fx, config_patches=patches, decompositions=kept)
        return torch.compile(fn, backend=backend, **options)

    return compiled


def plain_partition(compile):
    """Forward and backward are cut apart plainly, nothing is computed twice."""

    def compiled(fn, **options):
        from torch._functorch.partitioners import default_partition
        from torch._inductor.custom_graph_pass import CustomPartitionerFn

        class Plain(CustomPartitionerFn):
            def __call__(self, graph, inputs, **keywords):
                keywords.pop("compiler", None)
                return default_partition(graph, inputs, **keywords)

            def uuid(self):
                return None

        torch._inductor.config.custom_partitioner_fn = Plain()
        return compile(fn, **options)

    return compiled


# Of every backend that goes through Dynamo.
DYNAMO = {
    "dynamic": {"dynamic": True},
    "static": {"dynamic": False},
    "automatic": {"dynamic": None},
    "specialize_int": setting(torch._dynamo.config, specialize_int=True),
    "specialize_float": setting(torch._dynamo.config, specialize_float=True),
    "capture_scalars": setting(torch._dynamo.config, capture_scalar_outputs=True),
    "capture_dynamic_shapes": setting(torch._dynamo.config, capture_dynamic_output_shape_ops=True),
    "no_inlined_modules": setting(torch._dynamo.config, inline_inbuilt_nn_modules=False),
}
# Of those that go through AOTAutograd as well.
AOT = {
    **DYNAMO,
    "no_cse": setting(torch._functorch.config, cse=False),
    "no_view_replay": setting(torch._functorch.config, view_replay_for_aliased_outputs=False),
    "recompute_all": setting(torch._functorch.config, aggressive_recomputation=True),
    "recompute_views": setting(torch._functorch.config, recompute_views=True),
    "no_donated_buffers": setting(torch._functorch.config, donated_buffer=False),
}
