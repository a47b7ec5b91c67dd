"""The cost of observation: what share of an aot_eager test (eager, then compiled, in one warm process) goes into
recording what the runs show. Run by the Python whose torch is tested; programs come on standard input, as
`jitprobe generate --json` prints them. Prints {"share": …, "milliseconds": …}, the second for each test.
"""

import json
import os
import pathlib
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests"))

import runtime_package  # noqa: E402

_WARM = 10
_ENVIRONMENT = {"OMP_NUM_THREADS": "1", "TORCHINDUCTOR_COMPILE_THREADS": "1", "TORCHINDUCTOR_FX_GRAPH_CACHE": "0",
                "TORCHINDUCTOR_AUTOGRAD_CACHE": "0", "CUDA_VISIBLE_DEVICES": ""}


class Clock:
    """Seconds spent in the functions it wraps; one inside another counts once."""

    def __init__(self):
        self.seconds = 0.0
        self._inside = False

    def wrap(self, place, name):
        former = getattr(place, name)

        def timed(*arguments, **keywords):
            if self._inside:
                return former(*arguments, **keywords)
            self._inside = True
            began = time.perf_counter()
            try:
                return former(*arguments, **keywords)
            finally:
                self.seconds += time.perf_counter() - began
                self._inside = False

        setattr(place, name, timed)


def ask(serve, source, file, **run):
    program = {"source": source, "entry": "program", "inputs": "make_inputs", "path": ""}
    answer = serve.handle({"op": "run", "program": program, "file": file, "run": {"role": "run", **run}})
    if "broken" in answer:
        sys.exit(answer["broken"])


def main():
    programs = [item["source"] for item in json.load(sys.stdin)]
    os.environ.update(_ENVIRONMENT)
    serve = runtime_package.warmed_up()
    from jitprobe_runtime import execute
    from jitprobe_runtime.observe import leaves, modes, observer

    clock = Clock()
    for place, name in ((observer.Observer, "value"), (modes, "snapshot"), (leaves, "find"), (leaves, "collect"),
                        (execute.Run, "_state"), (execute.Run, "_exception")):
        clock.wrap(place, name)
    stream = sys.stdout
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "program.py")
        for number, source in enumerate(programs):
            if number == _WARM:
                clock.seconds, began = 0.0, time.perf_counter()
            ask(serve, source, file)
            ask(serve, source, file, compiled=True, backend="aot_eager")
        whole = time.perf_counter() - began
    tests = len(programs) - _WARM
    print(json.dumps({"share": clock.seconds / whole, "milliseconds": clock.seconds / tests * 1000}), file=stream)


if __name__ == "__main__":
    main()
