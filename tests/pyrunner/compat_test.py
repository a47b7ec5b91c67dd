"""Every private name of pyrunner/runtime/compat, hidden in turn: a plain run and a compiled one end as they do with it,
and what depends on the name degrades as its entry says: something stands in, or what needs it is refused with a
sentence that names it, or no two runs share a process.

Run by the Python whose torch is tested; beside the worker ($JITPROBE_WORKER) lies its extension `jitprobe_native`.
Each name is hidden in a fork of this warm process. With arguments: only these names.
"""

import os
import pathlib
import sys
import tempfile
import traceback

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS))

import runtime_package  # noqa: E402

PROGRAM = """import torch


def make_inputs():
    base = torch.arange(12.0).reshape(3, 4)
    sparse = torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (3,))
    return (base[1:].requires_grad_(), torch.nn.Linear(4, 2), sparse, {"n": 3})


def program(x, layer, sparse, named):
    y = layer(x * 1.5).exp()
    return y, named["n"], [x.detach().sort().indices, sparse]
"""
# What a run may ask for that private names stand behind; None: an eager run.
PLAIN = ({}, {"compiled": True, "backend": "aot_eager"})
CONTROLS = (
    {"precision": "float64"}, {"values_seed": 1}, {"precision": "monte_carlo", "noise_seed": 1},
    {"precision": "other_choices", "noise_seed": 1})


def ask(serve, file, run):
    program = {"source": PROGRAM, "entry": "program", "inputs": "make_inputs", "path": ""}
    return serve.handle({"op": "run", "program": program, "file": file, "run": {"role": "run", **run}})


def shown(answer):
    """What a run came to, without what a missing name may leave out."""
    if "broken" in answer:
        return answer["broken"]
    ending = answer["outcome"]["ending"]
    calls = ending.get("observation", {}).get("calls", [])
    return ending["kind"], ending.get("reason"), [(call.get("exception"), sorted(call)) for call in calls]


def hide(table, key):
    """As if the first path of a name led nowhere; whoever asked for the name asks again."""
    name = table._names[key]
    name.paths = ("torch.no_such_name", *name.paths[1:])
    table._module.pop(key, None)
    table._missing.pop(key, None)


def sentence(table, key):
    return f"lacks torch.no_such_name: {table._names[key].lost}"


def whole(serve, file):
    return [shown(ask(serve, file, run)) for run in (*PLAIN, *CONTROLS)]


def check_hidden(serve, file, before, table, key):
    """Complaints about how the runtime does without one name."""
    from jitprobe_runtime import compat
    from jitprobe_runtime.compat import names
    from jitprobe_runtime.state import process

    hide(table, key)
    entry = table._names[key]
    wrong = []
    if not any(lack == {"name": "torch.no_such_name", "lost": entry.lost} for lack in table.missing()):
        wrong.append("it is not reported as missing")
    if entry.isolates and compat.isolates():
        wrong.append("runs are still thought to be kept apart")
    process.take_baseline()
    plain = ask(serve, file, {})
    if plain.get("retire", False) != entry.isolates:
        wrong.append(f"the process {'is kept' if entry.isolates else 'is given up'} after a run")
    refused = sentence(table, key)
    for number, answer in enumerate(whole(serve, file)):
        if answer != before[number] and not (
                number >= len(PLAIN) and "refused" in entry.lost and isinstance(answer, str) and refused in answer):
            wrong.append(f"run {number} came to {answer}, not to {before[number]}")
    if entry.instead is names.ABSENT:
        try:
            getattr(sys.modules[table._module["__name__"]], key)
            wrong.append("asking for it is not refused")
        except names.Lacks as lack:
            if refused not in str(lack):
                wrong.append(f"it is refused by {lack}")
    return wrong


def in_fork(work):
    """What a function prints in a fork; the fork's failure is its text."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            text = "\n".join(work())
        except BaseException:
            text = traceback.format_exc()
        os.write(writing, text.encode()[:60000])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        text = pipe.read().decode()
    if os.waitpid(child, 0)[1] != 0:
        text += "the process died"
    return text


def main():
    # As the worker has it: threads and a fork do not go together.
    os.environ.update(OMP_NUM_THREADS="1", TORCHINDUCTOR_COMPILE_THREADS="1", CUDA_VISIBLE_DEVICES="")
    sys.path.insert(0, os.path.dirname(os.environ["JITPROBE_WORKER"]))
    serve = runtime_package.warmed_up(warm="compiler")
    from jitprobe_runtime.compat import compiler, eager, python

    failed, count = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "program.py")
        pathlib.Path(file).write_text(PROGRAM)
        before = whole(serve, file)
        bad = [one for one in before if isinstance(one, str) or one[0] != "finished"]
        if bad:
            sys.exit(f"with all names: {bad}")
        for table in (eager.TABLE, compiler.TABLE, python.TABLE):
            for key in [name for name in table._names if name in sys.argv[1:] or not sys.argv[1:]]:
                count += 1
                wrong = in_fork(lambda: check_hidden(serve, file, before, table, key))
                if wrong:
                    failed += 1
                    print(f"without {key} ({table._names[key].paths[0]}): {wrong}", file=sys.__stdout__, flush=True)
    print(f"{count} names hidden; {failed} of them took more with them than their entries say", file=sys.__stdout__, flush=True)
    sys.exit(1 if failed or not count else 0)


if __name__ == "__main__":
    main()
