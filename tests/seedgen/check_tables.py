"""Runs programs of tables in eager torch, by the contract of program files, and says which are no valid cells.

Reads JSON lines {"table", "cell", "source"} (tests/seedgen/tools/table_dump.cpp) from standard input. A program is
valid when every call returns, backward through all differentiable outputs works, a second run gives the same, and
nothing that an operator writes in place overlaps itself. Exits 1 when one is not.

    table_dump 1000 views | python check_tables.py
"""

import collections
import itertools
import json
import sys
import types
import warnings

import torch
from torch.utils._python_dispatch import TorchDispatchMode

_numbers = itertools.count()


class OverlapWatch(TorchDispatchMode):
    """Counts calls that write to memory which they read, or write, in another place too."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func._schema.is_mutable:
            self._look(func, list(args) + list(kwargs.values()))
        return func(*args, **kwargs)

    def _look(self, func, operands):
        flat = []
        for operand in operands:
            flat.extend(operand if isinstance(operand, (list, tuple)) else [operand])
        tensors = [one for one in flat if isinstance(one, torch.Tensor)]
        written = tensors[0] if tensors else None
        if "out" in {argument.name for argument in func._schema.arguments if argument.is_out}:
            written = tensors[-1]
        if written is None:
            return
        places = cells_of(written)
        if len(set(places)) < len(places):
            self.seen.append(f"{func}: what is written overlaps itself")
        for one in tensors:
            if one is not written and cells_of(one) != places and set(cells_of(one)) & set(places):
                self.seen.append(f"{func}: reads in another place what it writes")


def cells_of(tensor):
    """The address of each element, in order."""
    addresses = [tensor.data_ptr()]
    for size, stride in zip(tensor.shape, tensor.stride()):
        step = stride * tensor.element_size()
        addresses = [address + i * step for address in addresses for i in range(size)]
    return addresses


def tensors_in(value):
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        return [one for item in value.values() for one in tensors_in(item)]
    if isinstance(value, (list, tuple, set)):
        return [one for item in value for one in tensors_in(item)]
    return []


def snapshot(value):
    """What can be compared after the program went on: nested data with tensors as lists."""
    if isinstance(value, torch.Tensor):
        plain = value.detach()
        return str(plain.dtype), tuple(plain.shape), repr(plain.tolist())
    if isinstance(value, dict):
        return type(value).__name__, [(snapshot(key), snapshot(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [snapshot(item) for item in value]
    if isinstance(value, (bool, int, float, str, bytes, complex, type(None), torch.Size, torch.dtype)):
        return type(value).__name__, repr(value)
    return type(value).__name__


def run(source):
    """One run of the program: what each call gave, as plain data."""
    torch.manual_seed(0)
    module = types.ModuleType(f"cell_{next(_numbers)}")
    sys.modules[module.__name__] = module
    try:
        exec(compile(source, module.__name__, "exec"), module.__dict__)
        made = module.make_inputs() if hasattr(module, "make_inputs") else ()
        calls = []
        for number, arguments in enumerate(made if isinstance(made, list) else [made]):
            if hasattr(module, "before_call"):
                module.before_call(number)
            output = module.program(*arguments)
            calls.append((snapshot(output), snapshot(arguments)))
            backward(output)
        if hasattr(module, "observe"):
            calls.append(snapshot(module.observe()))
        return calls
    finally:
        del sys.modules[module.__name__]


def backward(output):
    tops = {id(one): one for one in tensors_in(output) if one.requires_grad and one.grad_fn is not None}
    if tops:
        torch.autograd.backward([one.sum() for one in tops.values()])


def fault_of(source):
    """Why the program is no valid cell; "" when it is one."""
    try:
        with OverlapWatch() as watch:
            first = run(source)
        second = run(source)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:160] if str(error) else ''}"
    if watch.seen:
        return watch.seen[0]
    return "" if first == second else "a second run differs"


def main():
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    counts = collections.Counter()
    faults = collections.defaultdict(list)
    for line in sys.stdin:
        record = json.loads(line)
        counts[record["table"]] += 1
        if fault := fault_of(record["source"]):
            faults[record["table"]].append((record["cell"], fault, record["source"]))
    for table, count in sorted(counts.items()):
        print(f"{table}: {count} programs, {len(faults[table])} not valid")
        for cell, fault, source in faults[table][: 1000 if "--verbose" in sys.argv else 3]:
            print(f"  cell {cell}: {fault}")
            if "--verbose" in sys.argv:
                print("    " + source.split("def program", 1)[1].replace("\n", " | "))
    if not counts or any(faults.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
