"""detect.py: which harvested programs show which planted faults. Standard input: {"folder", "files", "only": faults};
standard output: {"fault": {"asked": programs that can show it, "files": those that do}}.

Every program is run once by eager, with each call of an ATen operator seen, backward's too. CAN_SHOW says by a fault's
own condition which calls it could change; the programs without such a call are taken as silent. The others are compiled
with the fault off and on. A program shows the fault when the two differ as OPERA judges: in the class of an exception,
in structure, dtype or shape, in where a NaN or an infinity is, or in a number by more than a thousandth (of it, where it
is above 1). Results, arguments afterwards and gradients count.
"""

import importlib.util
import json
import os
import pathlib
import signal
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FAULTS = HERE.parent / "planted" / "faults"
sys.path.insert(0, str(HERE.parent / "planted"))

import silent  # noqa: E402  (sets what torch reads when it is imported)
import torch  # noqa: E402
from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

TOLERANCE = 1e-3
SECONDS = 900  # of one fault's programs


def tensors(values):
    return [one for one in silent.leaves(values) if isinstance(one, torch.Tensor)]


def split_sum(call):
    """A sum over more than 100 and less than 1000 elements, not a multiple of 8."""
    given, results = tensors(call.args), tensors(call.result)
    if not given or not results or not results[0].numel():
        return False
    length = max(one.numel() for one in given) // results[0].numel()
    return 100 < length < 1000 and length % 8 != 0


def below_zero(call):
    return any(one.dtype == torch.float32 and one.numel() and float(one.min()) < 0 for one in tensors(call.args))


def truncates(call):
    return below_zero(call) and (call.name != "div" or call.kwargs.get("rounding_mode") == "trunc")


def number_above(bound):
    """A number that is given, not an element."""
    def test(call):
        return any(isinstance(one, float) and one > bound for one in silent.leaves((call.args, call.kwargs)))
    return test


def number(call, place, name, default=0):
    value = call.args[place] if len(call.args) > place else call.kwargs.get(name, default)
    return default if value is None or isinstance(value, torch.Tensor) else value


def mixed(call):
    dtypes = [one.dtype for one in tensors(call.args)]
    return bool(dtypes) and not dtypes[0].is_floating_point and any(one.is_floating_point for one in dtypes)


def odd_power(call):
    power = number(call, 1, "exponent")
    return isinstance(power, (int, float)) and power == int(power) and power > 4 and power % 2 == 1


def writes_argument(call):
    """Into memory of an argument of the program."""
    return bool(call.written)


def with_nan(call):
    return any(one.is_floating_point() and bool(one.isnan().any()) for one in tensors(call.args))


# By fault: the ATen operators that it is about, and a test of a call.
CAN_SHOW = {
    "alpha_of_index_add_ignored": ("index_add index_add_", lambda call: number(call, 4, "alpha", 1) > 2),
    "cat_in_first_dtype": ("cat", mixed),
    "copy_back_to_offset_lost": ("", lambda call: any(one.storage_offset() for one in call.written)),
    "double_flip_dropped": ("flip", lambda call: len(number(call, 1, "dims", ())) == 2),
    "elu_alpha_ignored": ("elu elu_", lambda call: number(call, 1, "alpha", 1) != 1),
    "fmin_as_minimum": ("fmin", with_nan),
    "folded_constant_rounded": ("full full_like new_full fill fill_", number_above(5)),
    "live_copy_dropped": ("", lambda call: any(one.dim() == 0 for one in call.written)),
    "logit_eps_ignored": ("logit logit_", lambda call: number(call, 1, "eps", -1) >= 0),
    "max_starts_at_zero": ("max amax aminmax", below_zero),
    "nan_value_ignored": ("nan_to_num nan_to_num_", lambda call: number(call, 1, "nan", 0.0) != 0),
    "negative_fill_lost": ("constant_pad_nd", lambda call: number(call, 2, "value", 0) < 0),
    "odd_powers_cut": ("pow pow_", odd_power),
    "overlap_not_seen": ("", writes_argument),
    "repeat_as_interleave": ("repeat", lambda call: len(call.args[1]) == 2 and call.args[0].dim() == 2),
    "roll_not_wrapped": ("roll", lambda call: any(abs(shift) > 1 for shift in call.args[1])),
    "selected_from_the_front": ("select_backward", lambda call: call.args[3] < -1),
    "slope_sign_lost": ("leaky_relu_backward", lambda call: number(call, 2, "negative_slope", 0.01) < 0),
    "tail_of_split_lost": ("sum mean nansum var std var_mean std_mean linalg_vector_norm",
                           split_sum),
    "trunc_as_floor_in_vectors": ("trunc fix frac div trunc_", truncates),
    "view_offset_forgotten": ("", lambda call: any(one.dim() == 2 and one.storage_offset() for one in call.views)),
    "xlogy_of_zero": ("xlogy special_xlog1py", lambda call: True),
}


class Call:
    """One call of ATen's, after it."""

    def __init__(self, function, args, kwargs, result, memory):
        self.name = function.overloadpacket.__name__
        self.args, self.kwargs, self.result = args, kwargs, result
        written = [one.alias_info is not None and one.alias_info.is_write for one in function._schema.arguments]
        self.written = [one for one, is_written in zip(args, written) if is_written for one in tensors(one)
                        if one.untyped_storage()._cdata in memory]
        self.views = [one for one in tensors(result) if one.untyped_storage()._cdata in memory]


class Watch(TorchDispatchMode):
    def __init__(self, faults, memory):
        super().__init__()
        self.faults, self.memory, self.found = faults, memory, set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        call = Call(function, args, kwargs or {}, result, self.memory)
        for fault in self.faults - self.found:
            names, test = CAN_SHOW[fault]
            if (not names or call.name in names.split()) and test(call):
                self.found.add(fault)
        return result


def can_show(source, faults):
    """The faults that a program's own calls let show."""
    module = silent.loaded(source, "eager")
    arguments = module.make_inputs()
    memory = {one.untyped_storage()._cdata for one in tensors(arguments)}
    with Watch(faults, memory) as watch:
        outputs = module.program(*arguments)
        differentiable = [one for one in tensors(outputs) if one.requires_grad]
        if differentiable:
            torch.autograd.backward(differentiable, [torch.ones_like(one) for one in differentiable])
    return watch.found


def kept(value):
    """What is compared of a result; tensors that go to another process by value."""
    if not isinstance(value, torch.Tensor):
        return repr(value)
    return value.detach().resolve_conj().resolve_neg().clone()


def results(fault, sources, on):
    """What each program gives, in a process of its own, because a patch stays; None of those that it didn't get to."""
    with tempfile.TemporaryDirectory() as folder:
        child = os.fork()
        if child == 0:
            os.setsid()
            signal.alarm(SECONDS)
            os.environ["PLANTED_FAULT"] = "1" if on else "0"
            spec = importlib.util.spec_from_file_location("fault", FAULTS / f"{fault}.py")
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            for at, source in enumerate(sources):
                told = silent.compiled(source, at, module.compile, kept)
                torch.save(told, f"{folder}/{at}")
                os.environ["PLANTED_FAULT"] = "0"  # planted once, and not again with the next program
            os._exit(0)
        os.waitpid(child, 0)
        return [torch.load(f"{folder}/{at}") if os.path.exists(f"{folder}/{at}") else None
                for at in range(len(sources))]


def alike(one, other):
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return type(one) is type(other) and one == other
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if not one.is_floating_point() and not one.is_complex():
        return torch.equal(one, other)
    wide = torch.complex128 if one.is_complex() else torch.float64
    return torch.allclose(one.to(wide), other.to(wide), rtol=TOLERANCE, atol=TOLERANCE, equal_nan=True)


def differ(one, other):
    left, right = silent.leaves(one), silent.leaves(other)
    return len(left) != len(right) or not all(map(alike, left, right))


def main():
    asked = json.load(sys.stdin)
    folder, only = pathlib.Path(asked["folder"]), set(asked["only"])
    able = {fault: [] for fault in sorted(only)}
    for file in asked["files"]:
        source = (folder / file).read_text()
        for fault in can_show(source, only):
            able[fault].append((file, source))
    told = {}
    for fault, programs in able.items():
        sources = [source for _, source in programs]
        wrong = results(fault, sources, True) if sources else []
        right = results(fault, sources, False) if sources else []
        found = [file for (file, _), off, on in zip(programs, right, wrong)
                 if off is not None and on is not None and differ(off, on)]
        told[fault] = {"asked": len(programs), "files": found}
        print(fault, len(programs), len(found), file=sys.stderr, flush=True)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
