"""The tables that mutations read (operator rules, inference, casts and symbols), row by row against eager torch.

    tables.py TABLE_PIPE [--only NAME,...]

For every operator that has a rule, in every form in which it is called, on every dtype and pair of dtypes: where the tables
say that eager takes it, eager must take it and give what they say; and every name must be said to be taken at least once,
else its row is dead. Exits 1 when something said is not so, or when a row never speaks.
"""

import argparse
import collections
import functools
import itertools
import json
import subprocess
import sys
import warnings

import torch
import torch.nn.functional as F

import forms

NAMES = ["bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
         "complex128"]
DTYPES = {name: getattr(torch, name) for name in NAMES}
NUMBERS = {"True": True, "2": 2, "1.5": 1.5, "1j": 1j}
SYMBOLS = ["+", "-", "*", "/", "//", "%", "**", "@", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">="]
CASTS = ["bool", "byte", "char", "short", "int", "long", "half", "bfloat16", "float", "double"]
SHOWN = 5
# Functions of torch that are written in Python stumble over a number by the last of these.
REFUSALS = (RuntimeError, TypeError, ValueError, IndexError, NotImplementedError, AttributeError)


class Pipe:
    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            sys.exit(f"the tables' process died on {request}")
        return json.loads(answer)


@functools.cache
def elements(dtype, shape, first):
    """Elements of both signs, 0 among them; another first one for each operand, so that divisors are not all alike."""
    count = 1
    for size in shape:
        count *= size
    numbers = [(first + 3 * k) % 7 - 3 for k in range(count)]
    if dtype.is_floating_point or dtype.is_complex:
        numbers = [number / 2 for number in numbers]
    if not dtype.is_signed and not dtype.is_complex:
        numbers = [abs(number) for number in numbers]
    return torch.tensor(numbers, dtype=torch.float64).to(dtype).reshape(shape)


def tensor(dtype, shape, first):
    return elements(dtype, tuple(shape), first).clone()


@functools.cache
def compiled(expression):
    return compile(expression, "<call>", "eval")


class Tables:
    def __init__(self, pipe):
        self.pipe = pipe
        self.spoke = collections.Counter()
        self.wrong = collections.Counter()
        self.asked = 0
        # Complaints of forms that eager has taken with no type so far: a program that ran can't have held such a form.
        self.doubtful = collections.defaultdict(list)
        self.taken = set()

    def refused(self, row, form, text):
        """Eager refuses what is said to be taken."""
        self.blame(row, text) if form in self.taken else self.doubtful[row, form].append(text)

    def took(self, row, form):
        self.taken.add(form)
        for text in self.doubtful.pop((row, form), []):
            self.blame(row, text)

    def blame(self, row, text):
        self.wrong[row] += 1
        if self.wrong[row] <= SHOWN:
            print(f"{row}: {text}", flush=True)

    def compare(self, row, expression, types, shapes, changed="type", known=True):
        """What the tables say of the expression on tensors of these types and shapes, against eager."""
        names = {name: [types[name], list(shapes[name])] for name in types if name in "xyz"}
        self.asked += 1
        look = self.pipe.ask(value=expression, names=names, changed=changed)["look"]
        form = (expression, str(shapes))
        if look is None and form in self.taken:
            return
        values = {name: tensor(DTYPES[type], shapes[name], place) for place, (name, type) in enumerate(types.items())}
        # Of one size with x, so that the form decides and not they.
        values["m"] = torch.zeros(shapes["x"], dtype=torch.bool)
        values["i"] = torch.tensor([1, 0])
        if changed == "grad":
            # The program ran before some of its tensors wanted gradients.
            try:
                eval(compiled(expression), {"torch": torch, "F": F, **{name: value.clone() for name, value in values.items()}})
            except REFUSALS:
                return
            for name in names:
                if values[name].is_floating_point() or values[name].is_complex():
                    values[name] = values[name].requires_grad_().clone()
        what = f"{expression} on {names}"
        try:
            made = eval(compiled(expression), {"torch": torch, "F": F, **values})
        except REFUSALS as error:
            if look is not None:
                self.refused(row, form, f"{what} is said to be taken ({look}), and eager raises {str(error).splitlines()[0]}")
            return
        self.took(row, form)
        if look is None:
            return
        if known and (look.get("dtype") or look.get("shape") is not None or look.get("items")):
            self.spoke[row] += 1
        self.match(row, what, look, made, changed)

    def match(self, row, what, look, made, changed):
        if isinstance(made, (tuple, list)):
            # What comes in parts is not followed, unless both parts are.
            for item, part in zip(look.get("items", []), made):
                self.match(row, what, item, part, changed)
            return
        if not isinstance(made, torch.Tensor):
            return
        dtype = str(made.dtype).removeprefix("torch.")
        if look.get("dtype", dtype) != dtype:
            self.blame(row, f"{what} is said to give {look['dtype']}, and gives {dtype}")
        if look.get("shape", list(made.shape)) != list(made.shape):
            self.blame(row, f"{what} is said to give {look['shape']}, and gives {list(made.shape)}")
        if changed == "grad" and look.get("grad") is False and made.requires_grad:
            self.blame(row, f"{what} is said to give what wants no gradients, and it wants them")

    def operator(self, name, operands):
        """One rule in all its forms."""
        for function in forms.callables(name):
            for arguments, shapes in forms.forms(name, operands):
                text = forms.expression(function, name, arguments)
                if not text:
                    continue
                shapes = dict(zip("xyz", shapes + [(2, 3)] * 3))
                used = [letter for letter in "xyz" if letter in arguments_names(arguments)]
                for types in combinations(used):
                    self.compare(name, text, types, shapes)
                    if all(DTYPES[type].is_floating_point for type in types.values()):
                        self.compare(name, text, types, shapes, "grad")
                if arguments == "x, y":
                    self.numbers(name, function, shapes)
            self.in_place(name, operands, function)

    def numbers(self, name, function, shapes):
        """A number where the second tensor stands."""
        for number, type in itertools.product(NUMBERS, NAMES):
            self.compare(name, forms.expression(function, name, f"x, {number}"), {"x": type}, shapes)

    def in_place(self, name, operands, function):
        if function or not callable(getattr(torch.Tensor, name + "_", None)):
            return
        for arguments, shapes in forms.forms(name, operands):
            text = forms.expression("", name + "_", arguments)
            used = [letter for letter in "xyz" if letter in arguments_names(arguments)]
            for types in combinations(used):
                self.compare(name, text, types, dict(zip("xyz", shapes + [(2, 3)] * 3)), known=False)

    def symbols(self):
        shapes = [[(2, 3), (2, 3)], [(2, 3), ()], [(), (2, 3)], [(), ()], [(2, 3), (3,)], [(3,), (2, 1)]]
        for symbol in SYMBOLS:
            for pair in [[(2, 3), (3, 2)], [(3,), (3,)]] if symbol == "@" else shapes:
                for types in combinations(["x", "y"]):
                    self.compare(symbol, f"x {symbol} y", types, dict(zip("xy", pair)))
            for number, type in itertools.product(NUMBERS, NAMES):
                for shape in ((2, 3), ()):
                    self.compare(symbol, f"x {symbol} {number}", {"x": type}, {"x": shape})
                    self.compare(symbol, f"{number} {symbol} x", {"x": type}, {"x": shape})
        for sign, type in itertools.product("-+~", NAMES):
            self.compare(f"{sign}x", f"{sign}x", {"x": type}, {"x": (2, 3)})

    def casts(self):
        for cast, type in itertools.product(CASTS, NAMES):
            self.compare(f".{cast}()", f"x.{cast}()", {"x": type}, {"x": (2, 3)})


def arguments_names(text):
    return {word for word in text.replace("[", " ").replace("]", " ").replace("(", " ").replace(")", " ").replace(",", " ").split()}


def combinations(used):
    """Types of so many operands: all of one and of two; of three, those in which two are alike."""
    if len(used) < 3:
        return [dict(zip(used, types)) for types in itertools.product(NAMES, repeat=len(used))]
    pairs = itertools.product(NAMES, repeat=2)
    return [dict(zip(used, types)) for one, two in pairs for types in {(one, two, two), (one, one, two), (one, two, one)}]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("pipe")
    parser.add_argument("--only", type=lambda text: set(text.split(",")), default=set())
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    pipe = Pipe(options.pipe)
    tables = Tables(pipe)
    rules = pipe.ask(tables=True)["rules"]
    asked = {name: operands for name, operands in rules.items() if not options.only or name in options.only}
    for name, operands in asked.items():
        tables.operator(name, operands)
    rows = list(asked)
    if not options.only:
        tables.symbols()
        tables.casts()
        rows += [*SYMBOLS, "-x", "+x", "~x", *[f".{cast}()" for cast in CASTS]]
    dead = [row for row in rows if not tables.spoke[row]]
    print(f"{len(rows)} rows, {tables.asked} expressions; wrong: {dict(tables.wrong)}; dead: {dead}")
    return 1 if dead or tables.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
