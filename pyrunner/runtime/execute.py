"""One run of a program file, from its text to its outcome (core/outcome.h) as a dict."""

import ast
import contextlib
import io
import sys
import warnings

import torch

from . import devices, failures, load
from .compat import compiler, eager
from .compilers import registry
from .controls import precision, values
from .controls.addresses import Elsewhere
from .controls.clock import Jumping
from .controls.equal_elements import OtherEquals
from .controls.freedom import FreeChoices
from .controls.noise import Noise
from .controls.optimizers import CountingInTensors
from .controls.strides import FreeStrides
from .observe import backward, leaves, modes
from .observe.effects import Afterwards, OfBackward
from .observe.held import Held
from .observe.observer import Observer
from .printed import Printed
from .state import children, dispatch, memory, process
from .text import safe_text

_MOST_WARNINGS = 100
_MOST_DRAWN = 64
_OF_RAISED = ("exception", "exception_line", "graphs_used_before")
_CROWDED = "other processes have the GPU's memory, of which a run may take {} bytes: run fewer at a time (--jobs)"


class _Stopped(Exception):
    """The run can't go on; holds its outcome."""

    def __init__(self, ending):
        super().__init__()
        self.ending = ending


class Run:
    """The state of one run. Use `run()` below."""

    def __init__(self, program, file, request, codes=None):
        self.program = program
        self.request = request
        self.recording = request.get("record", True)
        self.sets_modes = str(load.sets_modes(program["source"]))
        self.runs_backward = backward.runs_itself(program["source"])
        self.last = 0  # the number of the last call
        self.starts_at_stored = False  # whether backward begins at what the call has stored, too
        self.codes = codes
        self.filename = load.source_file(program, file)
        self.module_name = load.module_name(program["source"])
        self.observer = Observer(self.module_name)
        self.afterwards = Afterwards(self.observer, bool(request.get("compiled")))
        self.of_backward = OfBackward(program)
        self.printed = Printed()
        self.warned = []
        self.backend = None
        self.mode = None
        self.around = []
        if request.get("precision") == "monte_carlo":
            self.around = [CountingInTensors()]
        if request.get("precision") == "other_choices":
            number = request["noise_seed"]
            self.around = [Jumping(number), Elsewhere(number)]
            if number % 2:  # a program that fails of such strides has the other runs
                self.around.append(FreeStrides(number))
        self.cast_again = lambda: None
        self.moved_to = ""
        self.calls = []

    # The whole, step by step.

    def make(self):
        self._prepare()
        for one in self.around:
            one.start()
        try:
            return self._watched()
        finally:
            for one in self.around:
                one.stop()

    def _watched(self):
        if self.backend is None:
            return self._made()
        with children.Watch(self.filename) as watch:
            ending = self._made()
        if ending["kind"] == "finished":
            ending["lost_children"] = watch.lost
        return ending

    def outcome(self):
        """How the run ended, also where it could not be made."""
        try:
            return self.make()
        except _Stopped as stopped:
            return stopped.ending

    def _made(self):
        self.module = self._staged("file", "the file", lambda: load.load(self.program, self.filename, self.codes))
        with process.OwnBuiltins():
            own_names = load.own_names(self.module, self.program["source"]) if self.recording else None
            rebound = load.rebound_names(self.program["source"])
            self.held = Held(self.module, own_names, rebound)
        entry = self._staged("file", "the file", lambda: load.entry_of(self.module, self.program["entry"]))
        calls = self._staged("inputs", f"{self.program['inputs']}()", self._inputs)
        calls = self._staged("inputs", "moving the inputs", lambda: self._moved(calls))
        function = self._compiled(entry)
        with process.OwnBuiltins():
            self.afterwards.several = len(calls) > 1
            self.last = len(calls) - 1
        for number, arguments in enumerate(calls):
            self._call(number, function, arguments)
        with process.OwnBuiltins(), _modes_off(), eager.DisableTorchFunction():
            self.afterwards.end()
        if isinstance(self.mode, OtherEquals) and self.mode.beyond:
            raise _Stopped(self._raised("inputs", "there are more choices among equal elements than runs can list", ValueError()))
        observation = {"calls": self.calls}
        observe = self.module.__dict__.get("observe")
        if callable(observe):
            seen = self._staged("observe", "observe()", lambda: self._within(observe))
            observation["observed"] = self._record(seen)
        observation["tensors"] = self.observer.tensors
        counters = self.backend.counters() if self.backend and self.backend.counters else {}
        return {"kind": "finished", "observation": observation, "counters": counters}

    def _prepare(self):
        process.seed(self.request.get("random_seed", 0))
        threads = self.request.get("threads", 1)
        if threads != torch.get_num_threads() and not self.request.get("after"):
            torch.set_num_threads(threads)
        sys.stdout = io.TextIOWrapper(self.printed, encoding="utf-8", errors="backslashreplace", write_through=True)
        warnings.resetwarnings()
        warnings.simplefilter("always")
        warnings.showwarning = self._warn
        memory.fill(self.request.get("memory_fill", 0))
        try:
            devices.need(self.request.get("device", "cpu"))
            devices.prepare(self.request.get("device", "cpu"))
            if self.request.get("compiled"):
                self.backend = registry.resolve(self.request["backend"])
                self.backend.with_switches(self.request.get("switches", ()), {})
        except registry.Unusable as error:
            raise _Stopped(self._raised("backend", str(error), error)) from None

    def _inputs(self):
        name = self.program["inputs"]
        make = self.module.__dict__.get(name)
        if make is None and name == "make_inputs":
            return [()]
        if not callable(make):
            raise load.BadUse("inputs", f"`{name}` is not a function of the file")
        return load.calls_of(_plainly(make), name)

    def _moved(self, calls):
        """Applies the requested values, precision and device to the calls and to the run."""
        if self.request.get("values_seed", 0):
            values.redraw(calls, self.request["values_seed"])
        asked, device = self.request.get("precision", "native"), self.request.get("device", "cpu")
        if asked in ("float32", "float64") or device != "cpu":
            calls, self.cast_again, natives = precision.cast(self.module, calls, asked, device, self.program["source"])
        if device != "cpu":
            self.moved_to = str(torch.get_default_device())
        if asked == "monte_carlo":
            self.mode = Noise(self.request.get("noise_seed", 0))
        elif asked == "other_choices":
            self.mode = FreeChoices(self.request.get("noise_seed", 0), calls)
        elif asked == "other_equals":
            self.mode = OtherEquals(self.request.get("noise_seed", 0))
        elif asked != "native":
            self.mode = precision.DtypesUp(asked, natives)
        return calls

    def _compiled(self, entry):
        if self.backend is None:
            return entry
        options = self._staged("file", "COMPILE_OPTIONS", lambda: load.compile_options(self.module))
        options.update((key, ast.literal_eval(text)) for key, text in self.request.get("options", {}).items())
        compile, options = self.backend.with_switches(self.request.get("switches", ()), options)
        compiler.keep_random_numbers()  # the runner restores the compiler's configuration
        return self._staged("compile", "the compile call", lambda: self._compile(compile, entry, options))

    def _compile(self, compile, entry, options):
        try:
            return _plainly(compile, entry, **options)
        except TypeError as error:
            if failures.refused_option(error, options):
                raise load.BadUse("backend", f"it does not take COMPILE_OPTIONS: {failures.first_line(error)}") from None
            raise

    def _call(self, number, function, arguments):
        if isinstance(self.mode, precision.DtypesUp):
            self.mode.begin(number)
        before = self.module.__dict__.get("before_call")
        if callable(before):
            self._staged("before_call", f"before_call({number})", lambda: self._within(before, number))
            self.cast_again()
        record = {}
        with process.OwnBuiltins():
            found = self._begin(record, number, arguments) if self.request.get("gradients", True) else {}
            self.observer.begin(arguments)
        output = None
        try:
            output = self._within(function, *arguments)
        except BaseException as error:  # SystemExit and KeyboardInterrupt also end the entry
            if self.backend is None and failures.miscalled(error):
                reason = f"the program does not take what {self.program['inputs']}() makes: {failures.first_line(error)}"
                raise _Stopped(self._raised("inputs", reason, error)) from None
            with process.OwnBuiltins():
                record["exception"] = self._exception(error)
                record["exception_line"] = failures.program_line(error, self.filename)
                self._end_if_device_fails(error)
                failures.forget(error)
        try:
            with process.OwnBuiltins():
                self._after_call(record, output, arguments, found)
        except RuntimeError:
            if self.backend is None or "exception" not in record:
                raise
            # The compiler's exception has left torch unusable: nothing but it can be seen of this run.
            seen = {"calls": [*self.calls, {name: record[name] for name in _OF_RAISED if name in record}]}
            ending = {"kind": "finished", "observation": {**seen, "tensors": self.observer.tensors}, "counters": {}}
            raise _Stopped(ending) from None
        self.calls.append(record)

    def _begin(self, record, number, arguments):
        """The leaves before a call; notes what may have run backward through its graphs."""
        holds_graphs = not self.runs_backward and bool(self.held.graphs(arguments))
        record["graphs_used_before"] = self.runs_backward or number > 0 and holds_graphs
        self.starts_at_stored = number == self.last and not self.runs_backward and not holds_graphs
        return self.held.leaves(arguments, number == 0)

    def _after_call(self, record, output, arguments, found):
        sys.setrecursionlimit(process.baseline.recursion)
        dispatch.leave_transforms()
        goes_back = self.request.get("gradients", True) and "exception" not in record
        if goes_back:
            found.update(self.held.further_leaves(arguments, found))
        if not self.recording and leaves.is_plain(output):
            if goes_back:
                self._backward(record, output, arguments, found)
            return
        iterators = []
        with _modes_off():
            record["mode"] = modes.snapshot(self.moved_to) | {"set_by_the_program": self.sets_modes}
            record.update(self._values(record, output, arguments, iterators))
        ran = goes_back and self._backward(record, output, None if iterators else arguments, found)
        if ran and "backward_exception" not in record:
            self._effects(record, arguments)
        if iterators:
            self._draw(record, iterators, arguments, found if goes_back and not ran else None)
        record["printed"] = self.printed.take()
        record["warnings"], self.warned = self.warned, []

    def _values(self, record, output, arguments, iterators):
        self.afterwards.begin(record)
        parts = {"output": lambda: self.observer.value(output, iterators)} if "exception" not in record else {}
        parts |= self._around(arguments)
        return {name: self.afterwards.recorded(name, part) for name, part in parts.items()}

    def _around(self, arguments):
        """{name: value()} of what a call may write to."""
        return {"inputs": lambda: self.observer.value(arguments), "state": lambda: self.observer.state(self.held)}

    def _effects(self, record, arguments):
        with _modes_off():
            after = self.of_backward.recorded(record["gradients"], self._around(arguments))
        if after:
            record["after_backward"] = after

    def _draw(self, record, iterators, arguments, found):
        """Draws from the iterators of the output; `found`: the leaves, if backward through what they give is to be run."""
        items = []
        with _modes_off():
            drawn = [self.observer.draw(iterator, _MOST_DRAWN, self._within, items) for iterator in iterators]
            inputs = self.observer.value(arguments)
        parts = [{"kind": "sequence", "type": "list", "items": drawn}, inputs]
        record["late"] = {"kind": "mapping", "type": "dict", "labels": ["iterators", "inputs"], "items": parts}
        if found is not None and "gradients" not in record:  # the program may have run backward itself
            self._backward(record, items, arguments, found)

    def _backward(self, record, output, arguments, found):
        """Whether there was one; records the gradients. `arguments`: where stored tensors are looked for, too; None if it
        can't begin at them."""
        ran = False
        try:
            with _modes_off():
                roots = backward.differentiable(output)
                at_stored = not roots and self.starts_at_stored and arguments is not None
                if at_stored:
                    roots = self.held.graphs(arguments)
                ran = backward.run(roots, self._within, ordered=not at_stored)
        except BaseException as error:
            ran = True
            record["backward_exception"] = self._exception(error)
            self._end_if_device_fails(error)
            failures.forget(error)
        if ran or backward.have_gradients(found):  # the program may have run backward itself
            with _modes_off():
                record["gradients"] = backward.collect(found, self.observer)
        return ran

    # Parts.

    @failures.calls_others
    def _within(self, function, *arguments):
        """Calls the program's code in the requested precision. On a GPU, what its kernels fail with is raised here."""
        with contextlib.nullcontext() if self.mode is None else self.mode:
            result = function(*arguments)
        if self.moved_to:
            devices.wait()
        return result

    def _record(self, value):
        with _modes_off():
            return self.observer.value(value)

    def _warn(self, message, category, filename, lineno, file=None, line=None):
        if filename == self.filename and len(self.warned) < _MOST_WARNINGS:
            self.warned.append(f"{category.__name__}: {safe_text(message)}")

    def _exception(self, error):
        sys.setrecursionlimit(process.baseline.recursion)
        missing = failures.broken(error)
        if missing is not None:
            raise failures.Broken(missing)
        return failures.record(error, self.filename, self.module_name, self.backend)

    def _end_if_device_fails(self, error):
        """Ends the run if the GPU's memory is exhausted, and the process if nothing works on the GPU any more."""
        if not self.moved_to:
            return
        if failures.is_out_of_memory(error):
            failures.forget(error)
            if devices.is_crowded():
                raise failures.Broken(_CROWDED.format(devices.memory_bytes))
            raise _Stopped({"kind": "out_of_memory", "bytes": devices.memory_bytes})
        devices.end_if_failed(error)

    def _raised(self, stage, reason, error):
        return {"kind": "raised", "stage": stage, "reason": reason, "exception": self._exception(error)}

    def _staged(self, stage, what, step):
        """Runs a step outside the calls; an exception in it ends the run."""
        try:
            return step()
        except load.BadUse as error:
            raise _Stopped(self._raised(error.stage, str(error), error)) from None
        except BaseException as error:
            raise _Stopped(self._raised(stage, f"{what} raised {failures.first_line(error)}", error)) from None


@failures.calls_others
def _plainly(function, *arguments, **keywords):
    return function(*arguments, **keywords)


def _modes_off():
    """Switches off dispatch modes that the program left on, so that they don't observe the runtime."""
    return eager.dispatch_modes_off()


def run(program, file, request, codes=None):
    """The outcome of one run. `codes` replace the compiled text of the file (the profiler passes instrumented code)."""
    if request.get("after"):
        before = {"role": "before", "compiled": True, "backend": request["after"]}
        kept = {name: request[name] for name in ("device", "gradients", "threads", "memory_fill", "random_seed") if name in request}
        ending = run(program, file, {**before, **kept})
        if ending["kind"] == "raised" and ending["stage"] == "backend":
            return ending
        del ending
    return Run(program, file, request, codes).outcome()
