"""torch's operator database as program files.

Each sample of an operator is run once with its calls of torch recorded, so that the program calls what the sample calls,
by its public name, whatever function of the database's stands before it. The file then runs twice in eager and must give
the sample's own bits.
"""

import collections
import difflib
import random
import time
import warnings

import torch
from torch.overrides import TorchFunctionMode

from . import CannotWrite, as_operator, check, children, dispatched, names, text, tree
from .manifest import BadUse, Folder, shown_tensors, value_of

SMALL, LARGER = 256, 8192  # elements that are written out; more only where an operator has no smaller sample
SECONDS = 60  # for one sample
OPERATORS = 40  # that one child goes through
DTYPES = ("float32", "int64", "complex64", "bool", "float64", "int32", "uint8", "float16", "bfloat16", "complex128",
          "float8_e4m3fn", "float8_e5m2")


class Trace(TorchFunctionMode):
    """Records the calls of torch made under it, outermost ones only."""

    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder
        self.calls = []
        self.live = []  # (callable, args, kwargs, result) of each call
        self.failure = None
        self.digests = []  # of the arguments, as they were when they were first seen

    def look(self):
        self.encoder.snapshot()
        for tensor in self.encoder.live[len(self.digests):]:
            self.digests.append(check.digest(tensor))

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if self.failure or names.is_question(func):
            return func(*args, **kwargs)
        try:
            form, name = names.of(func)
            if names.uninitialised(name):
                raise CannotWrite("of memory that nothing was written to")
            call = {"form": form, "name": name, "args": [self.encoder.tree(one) for one in args],
                    "kwargs": {key: self.encoder.tree(one) for key, one in kwargs.items()}}
            self.look()
        except CannotWrite as failure:
            self.failure = failure
            return func(*args, **kwargs)
        result = func(*args, **kwargs)
        self.calls.append(call)
        self.live.append((func, args, kwargs, result))
        self._bind(result, len(self.calls) - 1, [])
        return result

    def _bind(self, value, call, path):
        if isinstance(value, torch.Tensor):
            self.encoder.known(value, {"is": "result", "call": call, "path": path})
        elif isinstance(value, (list, tuple)):
            for step, one in enumerate(value):
                self._bind(one, call, path + [step])
        elif isinstance(value, dict):
            for key, one in value.items():
                self._bind(one, call, path + [key])


def traced(op, sample, limit):
    """The instance of a sample, its parameters, the name of what it calls, digests of arguments and result."""
    encoder = tree.Encoder(limit, all_written=True)
    for one in torch.utils._pytree.tree_leaves((sample.input, sample.args, sample.kwargs)):
        if isinstance(one, torch.Tensor):
            encoder.tensor(one)
    trace = Trace(encoder)
    trace.look()
    with trace:
        result = op(sample.input, *sample.args, **sample.kwargs)
    if trace.failure:
        raise trace.failure
    if not trace.calls:
        raise CannotWrite("calls nothing that can be seen")
    if trace.live[-1][3] is result:
        told = {"is": "result", "call": len(trace.calls) - 1, "path": []}
    else:
        told = encoder.tree(result)
        trace.look()
    whole = {"storages": encoder.storages, "tensors": encoder.tensors, "calls": trace.calls, "result": told}
    instance, used, kept = text.pruned(whole)
    single = len(instance["calls"]) == 1
    func, args, kwargs, _ = trace.live[kept[0]] if single else (None, (sample.input, *sample.args), sample.kwargs, None)
    given = names.parameters(func, args, kwargs) if single else named(args, kwargs)
    shown = shown_tensors(whole)
    parameters = [(name, value_of(seen(encoder, value), shown)) for name, value in given]
    return {"instance": instance, "parameters": parameters,
            "name": instance["calls"][0]["name"] if single else f"torch.{op.name}",
            "given": [trace.digests[at] for at in used], "told": check.digest(result)}


def named(args, kwargs):
    return [("input", args[0])] + [(f"argument{i}", one) for i, one in enumerate(args[1:], 1)] + list(kwargs.items())


def seen(encoder, value):
    """The tree of an argument; of what a call gave, or can't be written, None."""
    try:
        told = encoder.tree(value)
    except CannotWrite:
        return None
    return None if isinstance(told, dict) and told["is"] == "result" else told


def dtypes_of(op, asked):
    """The dtypes to harvest an operator in: those asked for that it takes, or else the first of DTYPES."""
    taken = set(op.dtypes)
    if asked:
        return [one for one in asked if getattr(torch, one) in taken]
    return [one for one in DTYPES if hasattr(torch, one) and getattr(torch, one) in taken][:1]


def samples_of(op, dtype):
    torch.manual_seed(0)
    random.seed(0)
    try:
        import numpy

        numpy.random.seed(0)
    except ImportError:
        pass
    kind = getattr(torch, dtype)
    gradients = op.supports_autograd and (kind.is_floating_point or kind.is_complex)
    return list(op.sample_inputs("cpu", kind, requires_grad=gradients))


def spread(count):
    """The numbers below count, any first few of them far apart."""
    order, step = [], 1
    while step < count:
        step *= 2
    seen_already = set()
    while step >= 1:
        for number in range(0, count, step):
            if number not in seen_already:
                seen_already.add(number)
                order.append(number)
        step //= 2
    return order


def checked(instance, title):
    """(text, what the runs showed) of an instance; without gradients where eager's backward refuses them."""
    source = text.program_text(instance, title)
    try:
        return source, check.run_twice(source)
    except CannotWrite as failure:
        if not any(one["requires_grad"] for one in instance["tensors"]) or not str(failure).startswith("eager refuses"):
            raise
    plain = {**instance, "tensors": [{**one, "requires_grad": False} for one in instance["tensors"]]}
    source = text.program_text(plain, title)
    return source, check.run_twice(source)


def row_of(op, dtype, sample, number, limit):
    """The program of one sample, which was run and gives the sample's bits, and what the manifest says of it."""
    found = traced(op, sample, limit)
    variant = f".{op.variant_test_name}" if op.variant_test_name else ""
    title = f"{op.name}{variant}, sample {number} of torch's operator database, {dtype}"
    source, shown = checked(found["instance"], title)
    if shown["given"] != found["given"] or shown["told"] != found["told"]:
        raise CannotWrite("the program gives other bits than the sample")
    name = found["name"]
    return {"operator": names.operator_of(name), "name": name, "parameters": found["parameters"],
            "text": source, "key": text.key_of(found["instance"]), "call": as_operator.call_of(found["instance"], source)}


class Work:
    """What a child does: all samples of some operators, from a place [operator, step] on."""

    def __init__(self, ops, options):
        self.ops = ops
        self.options = options

    def __call__(self, start, send):
        warnings.simplefilter("ignore")
        last = min(start[0] + OPERATORS, len(self.ops))
        for at in range(start[0], last):
            self._operator(at, start[1] if at == start[0] else 0, send)
        return [last, 0] if last < len(self.ops) else None

    def _operator(self, at, skipped, send):
        op, step, keys, too_large = self.ops[at], 0, set(), False
        for limit in (SMALL, LARGER):
            if limit == LARGER and (keys or not too_large):
                return
            for dtype in dtypes_of(op, self.options.dtypes):
                step += 1
                if step <= skipped:
                    continue
                send({"at": [at, step - 1]})
                try:
                    samples = samples_of(op, dtype)
                except Exception as error:
                    send({"op": at, "reason": f"its samples can't be made: {check.short(error)}"})
                    continue
                send({"op": at, "dtype": dtype, "samples": len(samples)})
                of_dtype = 0
                for number in spread(len(samples)):
                    if self.options.samples and of_dtype >= self.options.samples:
                        break
                    step += 1
                    if step <= skipped:
                        continue
                    send({"at": [at, step - 1]})
                    try:
                        row = row_of(op, dtype, samples[number], number, limit)
                    except tree.TooLarge as failure:
                        too_large = True
                        if limit == LARGER:
                            send({"op": at, "reason": str(failure)})
                    except CannotWrite as failure:
                        send({"op": at, "reason": str(failure)})
                    except Exception as error:
                        send({"op": at, "reason": f"eager refuses the sample: {check.short(error)}"})
                    else:
                        if row["key"] not in keys:
                            of_dtype += 1
                            keys.add(row["key"])
                            send({"op": at, "row": {**row, "dispatched": dispatched.calls_of(row["text"])}})


def full_name(op):
    return op.name + (f".{op.variant_test_name}" if op.variant_test_name else "")


def chosen(only):
    """The entries of the database of these names (all of them without names). Raises BadUse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from torch.testing._internal.common_methods_invocations import op_db
    except ImportError as error:
        raise BadUse(f"torch's operator database can't be imported: {error}") from None
    known = {name for op in op_db for name in (op.name, full_name(op))}
    for name in only:
        if name not in known:
            close = difflib.get_close_matches(name, known, 3)
            hint = f"; did you mean {', '.join(sorted(close))}?" if close else ""
            raise BadUse(f"torch's operator database has no operator '{name}'{hint}")
    return [op for op in op_db if not only or {op.name, full_name(op)} & set(only)]


def no_sample(op, asked):
    if not set(op.dtypes):
        return "takes nothing on the CPU"
    return "takes none of the dtypes asked for" if asked else f"takes {', '.join(sorted(map(str, op.dtypes)))} only"


def harvest(options, note):
    """Writes the folder; gives the report as plain data. Raises BadUse."""
    began = time.monotonic()
    for dtype in options.dtypes:
        if dtype not in tree.names_of_dtypes().values():
            raise BadUse(f"there is no dtype '{dtype}' that a program can be written in")
    ops = chosen(options.only)
    folder = Folder(options.out, "opinfo")
    folder.check()
    valid, samples, keys = collections.Counter(), {}, set()
    reasons = collections.defaultdict(collections.Counter)
    said = [collections.Counter() for _ in ops]
    work = Work(ops, options)
    told = -1
    for message in children.messages(work, [0, 0], lambda at: [at[0], at[1] + 1], SECONDS) if ops else ():
        at = message["op"] if "op" in message else message["at"][0]
        if at // 50 > told:
            told = at // 50
            note(f"{at} of {len(ops)} operators, {len(folder.instances)} programs")
        if "row" in message:
            row = message["row"]
            if row["key"] in keys:
                valid[at] += 1
                continue
            keys.add(row["key"])
            folder.add(row)
            valid[at] += 1
            said[at][row["operator"]] += 1
        elif "samples" in message:
            samples[at, message["dtype"]] = message["samples"]
        else:
            reasons[at][message.get("reason") or message["died"]] += 1
    for (at, _), count in samples.items():
        if said[at]:
            folder.counts[said[at].most_common(1)[0][0]] += count
    return report(folder, ops, options, valid, reasons, time.monotonic() - began)


def report(folder, ops, options, valid, reasons, seconds):
    left_out = []
    for at, op in enumerate(ops):
        for reason, count in reasons[at].items():
            folder.leave_out(full_name(op), reason, count)
        if not valid[at]:
            reason = reasons[at].most_common(1)[0][0] if reasons[at] else no_sample(op, options.dtypes)
            if not reasons[at]:
                folder.leave_out(full_name(op), reason)
            left_out.append({"operator": full_name(op), "reason": reason})
    folder.close()
    return {"folder": str(folder.path), "torch": torch.__version__, "entries": len(ops), "valid": len(+valid),
            "programs": len(folder.instances), "operators": len({row["operator"] for row in folder.instances}),
            "left_out": left_out, "seconds": round(seconds, 1)}
