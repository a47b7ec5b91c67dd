"""Work that the zygote does once, so that no child has to: imports, first compilations, a frozen heap."""

import gc

import torch

from .compat import compiler, eager


def imports():
    """What a run without the compiler imports lazily."""
    import numpy.random  # noqa: F401
    import torch.fx.experimental.symbolic_shapes  # noqa: F401, what a backward imports
    import torch.multiprocessing.reductions  # noqa: F401

    eager.has("nested_tensors")  # this imports them; so does a backward

    with eager.dispatch_modes_off():
        torch.get_default_device()
    try:  # Inductor would start tqdm's monitor, which is a thread, and a zygote must have only one thread
        import tqdm
    except ImportError:
        return
    tqdm.tqdm.monitor_interval = 0


def _pointwise(x, y):
    return torch.relu(x) + y * 2


def _views(x, y):
    z = x.clone()
    z.t().add_(1)
    return z, (x @ y.t()).sum(0)


def _python(x, y):
    items = [x, y]
    for item in items:
        if item.shape[0] > 2:
            x = x + item.sum()
    return {"x": x, "items": items}


def _breaks(x, y):
    x = x + 1
    print(end="")
    return torch.cat([x, y]).softmax(0)


def compile_a_little(with_inductor):
    """A few varied compilations without gradients, because a backward could start threads and a zygote must have one
    thread. Measured in children that compile a program of ten operators first: any further function or backend here
    gains them nothing, and each of these is missed (0.04 to 0.5 s a child)."""
    compiler.has("jvp_decompositions")  # this imports them
    compiler.leave_out_guard_times()
    compiler.leave_out_names_for_log()
    compiler.keep_random_state()
    compiler.fill_dtype_table_once()
    x, y = torch.ones(3, 4), torch.ones(3, 4)
    for function, backend in (
        (_views, "aot_eager"),
        (_python, "aot_eager"),
        (_breaks, "aot_eager"),
        (_views, "aot_eager_decomp_partition"),
    ):
        torch.compiler.reset()
        torch.compile(function, backend=backend)(x, y)
    if with_inductor:
        torch.compiler.reset()
        torch.compile(_pointwise)(x, y)
        torch.compiler.reset()
        torch.compile(_views)(x, y)


def freeze(collecting):
    """Excludes all live objects from garbage collection, so that children keep sharing their pages; new ones are
    collected from here on. To collect first takes a tenth of the time of importing torch, and finds less than a
    twentieth of the objects: only compilations leave more."""
    if collecting:
        gc.collect()
    gc.freeze()
    gc.enable()
