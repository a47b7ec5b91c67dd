"""What all backends built on torch.compile share: counters, stages of failures, expected refusals."""

from ..compat import compiler
from .configurations import AOT, DYNAMO  # noqa: F401

# The longest prefix wins; paths are as in Frame::file, without "site-packages/". "runtime": the compiled program was
# running.
STAGES = {
    "torch/_dynamo/": "dynamo",
    "torch/_guards.py": "dynamo",
    "torch/_dynamo/eval_frame.py": "runtime",
    "torch/_dynamo/external_utils.py": "runtime",
    "torch/_dynamo/backends/": "dynamo",
    "torch/_subclasses/": "fake_tensor",
    "torch/fx/experimental/": "symbolic_shapes",
    "torch/_functorch/": "aot_autograd",
    "torch/_functorch/_aot_autograd/runtime_wrappers.py": "runtime",
    "torch/_functorch/_aot_autograd/utils.py": "runtime",
    "torch/_functorch/_aot_autograd/functional_utils.py": "runtime",
    "torch/_decomp/": "aot_autograd",
    "torch/_refs/": "aot_autograd",
    "torch/_prims/": "aot_autograd",
    "torch/_prims_common/": "aot_autograd",
    "torch/_inductor/": "inductor",
    "torch/_inductor/output_code.py": "runtime",
    "torch/_inductor/utils.py": "runtime",
    "<eval_with_key>": "runtime",
    "<generated>": "runtime",
}

# A frame of one of these files shows that the compiler was working.
COMPILING = (
    "torch/_dynamo/convert_frame.py",
    "torch/_dynamo/output_graph.py",
    "torch/_functorch/aot_autograd.py",
    "torch/_functorch/_aot_autograd/graph_compile.py",
    "torch/_functorch/_aot_autograd/graph_capture.py",
    "torch/_inductor/compile_fx.py",
)

# (part of the type's name, part of the message) of refusals that torch documents as limits of the compiler, and of
# failures that are not its fault.
EXPECTED_REFUSALS = (
    ("", "does not yet handle"),
    ("", "does not currently support double backward"),
    ("", "mixed autograd ._base"),
    ("", "this is banned"),
    ("", "non-compositional"),
    ("", "donated buffer"),
    ("", "more than one element of the written-to tensor"),
    ("CppCompileError", "internal compiler error"),  # a bug of the C++ compiler itself
    ("Unsupported", ""),
    ("UncapturedHigherOrderOpError", ""),
    ("Refused", ""),
    ("FailOnRecompileLimitHit", ""),
)

_LIMIT = "recompile limit exceeded"


def counters():
    """Counters of core/outcome.h since the last reset."""
    raw = compiler.counters
    if raw is None:
        return {"known": False}
    limits, breaks = _breaks(raw)
    compiled = compiler.compilation_metrics()
    others = {
        "fx_nodes": sum(one.graph_node_count or 0 for one in compiled),
        "guards": sum(one.guard_count or 0 for one in compiled),
        "captured_operators": raw["stats"]["calls_captured"],
        "aot_graphs": raw["aot_autograd"]["ok"],
        "pattern_matches": raw["inductor"]["pattern_matcher_count"],
        "recompiles": sum(len(reasons) for reasons in compiler.guard_failures.values()),
        "fallbacks": sum(count for name, count in raw["inductor"].items() if "fallback" in name),
        **_of_inductor(),
    }
    return {
        "known": True,
        "frames_seen": raw["frames"]["total"],
        "frames_compiled": raw["frames"]["ok"],
        "graphs": raw["stats"]["unique_graphs"],
        "recompile_limit_hits": limits,
        "graph_breaks": breaks,
        "others": {name: count for name, count in others.items() if count},
    }


def _of_inductor():
    metrics = compiler.inductor_metrics
    if metrics is None:
        return {}
    return {
        "ir_nodes": metrics.ir_nodes_pre_fusion,
        "generated_kernels": metrics.generated_kernel_count,
        "vector_kernels": metrics.generated_cpp_vec_kernel_count,
    }


def _breaks(raw):
    limits, breaks = 0, {}
    for kind in ("graph_break", "unimplemented"):
        for reason, count in raw[kind].items():
            if _LIMIT in reason.lower():
                limits += count
            elif kind == "graph_break":
                first = reason.strip().splitlines()[0] if reason.strip() else "unknown"
                breaks[first] = breaks.get(first, 0) + count
    return limits, breaks
