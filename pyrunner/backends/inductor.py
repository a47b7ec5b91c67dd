"""The default of torch.compile: Dynamo, AOTAutograd and Inductor with generated C++."""

import torch

from jitprobe_runtime.compat import compiler
from jitprobe_runtime.compilers import configurations
from jitprobe_runtime.compilers.dynamo import AOT, EXPECTED_REFUSALS, STAGES, counters  # noqa: F401


def compile(fn, **options):
    chosen = options.pop("options", None) or {}
    if options.get("mode"):  # torch.compile takes it or options
        chosen = {**compiler.options_of_mode(options.pop("mode"), options.get("dynamic")), **chosen}
    # Its own random numbers are others than eager's, as documented: those of eager are asked for.
    return torch.compile(fn, **options, options={"fallback_random": True, **chosen})


def _option(name, value):
    return {"options": {name: value}}


SWITCHES = {
    **AOT,
    "no_vectors": _option("cpp.simdlen", 0),
    "scalar": _option("cpp.simdlen", 1),
    "vectors_256": _option("cpp.simdlen", 256),
    "vectors_512": _option("cpp.simdlen", 512),
    "no_tail_vectors": _option("cpp.enable_loop_tail_vec", False),
    "no_tiling_heuristics": _option("cpp.enable_tiling_heuristics", False),
    "threads_1": _option("cpp.threads", 1),
    "threads_4": {"options": {"cpp.threads": 4, "cpp.min_chunk_size": 1}},
    "dynamic_threads": _option("cpp.dynamic_threads", True),
    "redundant_loops": _option("cpp.no_redundant_loops", False),
    "no_epilogue_fusion": _option("epilogue_fusion", False),
    "unfused": _option("max_fusion_size", 1),
    "aggressive_fusion": _option("aggressive_fusion", True),
    "no_loop_order": _option("pick_loop_orders", False),
    "no_inplace_buffers": _option("inplace_buffers", False),
    "no_buffer_reuse": _option("allow_buffer_reuse", False),
    "memory_planning": _option("memory_planning", True),
    "realize_all": {"options": {"realize_reads_threshold": 0, "realize_opcount_threshold": 0}},
    "dce": _option("dce", True),
    "no_pattern_matcher": _option("pattern_matcher", False),
    "no_pre_grad_passes": _option("use_pre_grad_passes", False),
    "no_joint_graph_passes": _option("use_joint_graph_passes", False),
    "no_post_grad_passes": _option("use_post_grad_passes", False),
    "no_constant_folding": _option("joint_graph_constant_folding", False),
    "no_reordering": {"options": {"reorder_for_locality": False, "reorder_for_peak_memory": False}},
    "no_layout_optimization": _option("layout_optimization", False),
    "no_padding": _option("comprehensive_padding", False),
    "decompose_mm": _option("decompose_mem_bound_mm", True),
    "emulate_precision_casts": _option("emulate_precision_casts", True),
    "wrapper": _option("cpp_wrapper", True),
    "freezing": _option("freezing", True),
    "reduce_overhead": {"mode": "reduce-overhead"},
    "max_autotune": {"mode": "max-autotune-no-cudagraphs"},
    "fewer_decompositions": configurations.fewer_decompositions,
    "plain_partition": configurations.plain_partition,
    "export": configurations.exported(strict=False),
    "export_strict": configurations.exported(strict=True),
    "aoti": configurations.ahead_of_time,
}

_RELU = """import torch


def make_inputs():
    return (torch.tensor([-1.5, 0.25, 2.0, -0.125, 3.0]),)


def program(x):
    return torch.relu(x)
"""


def _planted(kind):
    return {"options": {"cpp.inject_relu_bug_TESTING_ONLY": kind}}


# Faults that Inductor plants for its own tests: (source, options of the compile call, what must be seen).
PROBES = {
    "planted accuracy": (_RELU, _planted("accuracy"), "differs"),
    "planted compile_error": (_RELU, _planted("compile_error"), "raises"),
    "planted runtime_error": (_RELU, _planted("runtime_error"), "fails"),
}
