"""systematic.py: which harvested programs show which systematic faults. Standard input: {"folder",
"files"}; standard output: {"fault": {"files": programs that show it}}.

A faulty compiler does one thing wrong in one ATen operator: it

    ignores P      takes an optional parameter for its default
    first of P     looks at the first of a list of integers only
    sign of P      takes an integer below 0 for 0, a float below 0 for its opposite
    layout         reads operands that are not contiguous as if they were
    tail           leaves 0 in the elements of a float result beyond the last multiple of 8
    refuses X      raises for operands that are X: scalar, empty, of rank 4 or more (rank4), with a dimension of size 1
                   (size1), of different shapes (shapes) or dtypes (dtypes), with infinities or NaN (nonfinite)

which are the kinds that OPERA and others report most: parameters ignored, layouts, odd shapes, refusals. Every kind is
planted in every operator that the programs call, backward's too, where a call meets its condition; not in what makes
their arguments and looks at their results.

A compiler works on the ATen calls of a program; here they are run as eager makes them, one after the other, the faulty
one wrong: a run takes milliseconds, and some 70,000 are needed. Each program has a process of its own, because a wrong
call may end it; that shows the fault, too. Otherwise it is shown when results, arguments afterwards or gradients differ
as detect.py says.
"""

import json
import os
import pathlib
import signal
import sys
import traceback

import silent
import torch
from detect import differ, kept, tensors
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

SECONDS = 60  # of one process
BROKEN = 70  # how a process ends that failed by itself
VECTOR = 8


class Refused(Exception):
    """The faulty compiler does not take the call."""


class Call:
    """A call of an ATen operator, its parameters by name."""

    def __init__(self, function, args, kwargs):
        self.function, self.args, self.kwargs = function, args, kwargs
        self.operands = tensors((args, list(kwargs.values())))
        self.parameters = {}
        for at, parameter in enumerate(function._schema.arguments):
            if at < len(args):
                self.parameters[parameter.name] = parameter, args[at]
            elif parameter.name in kwargs:
                self.parameters[parameter.name] = parameter, kwargs[parameter.name]

    def run(self):
        return self.function(*self.args, **self.kwargs)

    def changed(self, name, value):
        """The same with another value for a parameter."""
        names = [parameter.name for parameter in self.function._schema.arguments]
        args = [value if names[at] == name else one for at, one in enumerate(self.args)]
        return Call(self.function, args, {key: value if key == name else one for key, one in self.kwargs.items()})


def is_integer(value):
    return isinstance(value, int) and not isinstance(value, bool)


def is_other(parameter, value):
    """Whether an optional parameter is given something else than its default."""
    if not parameter.has_default_value() or value is None:
        return False
    return bool(tensors(value)) or value != parameter.default_value


def first_of(name, values):
    return values[:1] if name.startswith("dim") else [values[0]] * len(values)


def without_sign(value):
    return 0 if is_integer(value) else -value


# Kinds of faults in a parameter: (whether it makes a difference to this value, the value that is taken instead).
IN_PARAMETER = {
    "ignores": (is_other, lambda parameter, value: parameter.default_value),
    "first of": (lambda parameter, value: isinstance(value, (list, tuple)) and len(value) > 1
                 and all(map(is_integer, value)), lambda parameter, value: first_of(parameter.name, list(value))),
    "sign of": (lambda parameter, value: (is_integer(value) or isinstance(value, float)) and value < 0,
                lambda parameter, value: without_sign(value)),
}


def nonfinite(tensor):
    return tensor.is_floating_point() and not bool(tensor.double().isfinite().all())  # isfinite takes no float8


# Kinds of operands that are refused.
REFUSED = {
    "scalar": lambda operands: any(one.dim() == 0 for one in operands),
    "empty": lambda operands: any(one.numel() == 0 for one in operands),
    "rank4": lambda operands: any(one.dim() >= 4 for one in operands),
    "size1": lambda operands: any(1 in one.shape for one in operands),
    "shapes": lambda operands: len({one.shape for one in operands}) > 1,
    "dtypes": lambda operands: len({one.dtype for one in operands}) > 1,
    "nonfinite": lambda operands: any(map(nonfinite, operands)),
}


def as_if_contiguous(value):
    """What a kernel reads that takes a tensor's elements to follow one another; zeros where it would read beyond."""
    if not isinstance(value, torch.Tensor) or value.is_contiguous() or value.layout != torch.strided:
        return value
    strides = torch.empty(value.shape, device="meta").stride()
    if (value.storage_offset() + value.numel()) * value.element_size() > value.untyped_storage().nbytes():
        return torch.zeros_like(value)
    return torch.as_strided(value.detach(), value.shape, strides, value.storage_offset())


def has_tail(call, result):
    plain = not call.function._schema.is_mutable and not call.function.is_view
    return plain and any(one.is_floating_point() and one.numel() > VECTOR and one.numel() % VECTOR
                         for one in tensors(result)[:1])


def without_tail(result):
    whole = tensors(result)[0]
    with torch.no_grad():
        flat = whole.flatten().clone()
        flat[flat.numel() // VECTOR * VECTOR:] = 0
        whole.copy_(flat.view(whole.shape))
    return result


def faults_of(call, result):
    """The faults that this call meets: (kind, parameter or "")."""
    found = [(kind, name) for name, (parameter, value) in call.parameters.items()
             for kind, (differs, _) in IN_PARAMETER.items() if differs(parameter, value)]
    if any(not one.is_contiguous() for one in call.operands):
        found.append(("layout", ""))
    if has_tail(call, result):
        found.append(("tail", ""))
    return found + [("refuses", kind) for kind, test in REFUSED.items() if test(call.operands)]


def wrong(call, kind, name):
    """What the faulty compiler makes of a call, where the call meets the fault."""
    if kind in IN_PARAMETER:
        parameter, value = call.parameters.get(name, (None, None))
        differs, instead = IN_PARAMETER[kind]
        if parameter is None or not differs(parameter, value):
            return call.run()
        return call.changed(name, instead(parameter, value)).run()
    if kind == "refuses":
        if REFUSED[name](call.operands):
            raise Refused(name)
        return call.run()
    if kind == "layout":
        if call.function._schema.is_mutable:
            return call.run()
        args, kwargs = tree_map(as_if_contiguous, (call.args, call.kwargs))
        return Call(call.function, args, kwargs).run()
    result = call.run()
    return without_tail(result) if has_tail(call, result) else result


class Watch(TorchDispatchMode):
    """Runs all calls as they are, and finds the faults that they meet."""

    def __init__(self):
        super().__init__()
        self.found = set()
        self.broken = None  # an exception of ours, which must not pass for the program's

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        call = Call(function, args, kwargs or {})
        result = call.run()
        try:
            self.found.update((str(function), *fault) for fault in faults_of(call, result))
        except Exception as error:
            self.broken = error
        return result


class Plant(TorchDispatchMode):
    """A faulty compiler's way with the calls."""

    def __init__(self, operator, kind, name):
        super().__init__()
        self.operator, self.kind, self.name = operator, kind, name

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        call = Call(function, args, kwargs or {})
        return wrong(call, self.kind, self.name) if str(function) == self.operator else call.run()


def result_of(module, mode):
    return silent.given(module, lambda function: function, kept, mode)


def tell_faults(source, done, tell):
    """Of one program: tells the name of each fault that it meets before it is tried, and then whether it shows it."""
    module = silent.loaded(source, 0)
    watch = Watch()
    right = result_of(module, watch)
    if watch.broken:
        raise watch.broken
    if len(right) == 1 or differ(right, result_of(module, Watch())):
        return  # raises, or is another each time
    for fault in sorted(watch.found):
        if " ".join(fault) not in done:
            tell(" ".join(fault))
            tell(str(int(differ(right, result_of(module, Plant(*fault))))))


def shown_by(source):
    """{fault: whether the program shows it} of the faults that it meets."""
    done = {}
    while True:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            signal.alarm(SECONDS)
            try:
                with os.fdopen(write, "w", buffering=1) as answer:
                    tell_faults(source, done, lambda line: print(line, file=answer))
            except BaseException:
                traceback.print_exc()
                os._exit(BROKEN)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as answer:
            lines = answer.read().splitlines()
        status = os.waitpid(child, 0)[1]
        if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN:
            raise SystemExit("systematic.py has failed, not a program: see above")
        done |= {fault: told == "1" for fault, told in zip(lines[::2], lines[1::2])}
        if len(lines) % 2 == 0:
            return done
        done[lines[-1]] = os.WIFSIGNALED(status) and os.WTERMSIG(status) != signal.SIGALRM


def main():
    asked = json.load(sys.stdin)
    torch.set_num_threads(1)
    told = {}
    for number, file in enumerate(asked["files"]):
        if number % 500 == 0:
            print(f"{number} of {len(asked['files'])} programs, {len(told)} faults", file=sys.stderr, flush=True)
        for fault, shown in shown_by((pathlib.Path(asked["folder"]) / file).read_text()).items():
            files = told.setdefault(fault, {"files": []})["files"]
            if shown:
                files.append(file)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
