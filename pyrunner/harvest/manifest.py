"""The folder of a harvest: program files, instances.json that says what they are, and operators.json.

    version     2
    source      "opinfo" or "run"
    torch       the version that the calls were made on
    instances   [{"file", "operator", "name", "parameters": [{"name", "value"}], "dispatched"}] in the order of harvesting;
                "dispatched" are places in the list of that name
    dispatched  [{"operator", "parameters"}], the different ATen calls that the programs dispatch to (see dispatched)
    counts      {operator: calls in what was harvested, equal ones too}
    left_out    [{"operator", "reason", "count"}]

The value of a parameter: null, bool, int, float, text (enumerations, dtypes, names) or a list of values as they are;
{"float": "nan"}, {"complex": [text, text]}; {"tensor": dtype, "shape": [...]}.

operators.json has the calls that can stand in a graph (see as_operator): {"version": 1, "calls": [{"operator", "text",
"several", "bound", "gradients", "levels", "exact", "arguments": [{"text", "free", "dtype", "shape", "strides", "low", "high",
"overlaps"}], "results": [{"of", "dtype", ...}]}]}. A level says where the results lie if the arguments lie inside intervals:
{"arguments": [[low, high] or null of one that is not free], "results": [[low, high]]}; the widest is the first. Without levels
the results are elements of the free arguments, below `bound`, and the recorded results'.
"""

import collections
import json
import os
import pathlib
import re

import torch

NAME = "instances.json"
VERSION = 2
OPERATORS = "operators.json"


class BadUse(Exception):
    """What the user gave can't be used; the text is a sentence."""


def value_of(tree, tensors):
    """A tree as the value of a parameter; None of what isn't known before the run."""
    if isinstance(tree, dict):
        kind = tree["is"]
        if kind == "tensor":
            return tensors[tree["at"]]
        if kind == "float":
            return {"float": tree["text"]}
        if kind == "complex":
            return {"complex": [tree["real"], tree["imag"]]}
        if kind == "dict":
            return [value_of(one, tensors) for _, one in tree["items"]]
        if kind == "module":
            return tree["name"]
        if "items" in tree:
            return [value_of(one, tensors) for one in tree["items"]]
        return tree.get("name", kind)
    return tree


def shown_tensors(instance):
    """Its tensors as values of parameters."""
    return [{"tensor": instance["storages"][one["storage"]]["dtype"], "shape": one["shape"]} for one in instance["tensors"]]


class Folder:
    """Takes program files in, and writes the manifest at the end."""

    def __init__(self, path, source):
        self.path = pathlib.Path(path)
        self.source = source
        self.instances = []
        self.dispatched = {}  # text of an ATen call: its place
        self.calls = []
        self.counts = collections.Counter()
        self.left_out = collections.Counter()
        self.numbers = collections.Counter()

    def open(self):
        """Makes the folder; what an earlier harvest left in it goes. Raises BadUse."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            found = sorted(one.name for one in self.path.iterdir())
            if found and NAME not in found:
                raise BadUse(f"the folder {self.path} holds something else than a harvest: name another with --out")
            if found:
                for row in json.loads((self.path / NAME).read_text(encoding="utf-8"))["instances"]:
                    (self.path / pathlib.Path(row["file"]).name).unlink(missing_ok=True)
            self._write(NAME, {"version": VERSION, "instances": [], "dispatched": [], "counts": {}})
            self._write(OPERATORS, {"version": 1, "calls": []})
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = error.strerror if isinstance(error, OSError) else "its instances.json is damaged"
            raise BadUse(f"can't write into the folder {self.path}: {why}") from None

    def add(self, row):
        """Keeps a program, and its call for graphs: {"operator", "name", "parameters", "dispatched", "text", "call"}."""
        operator = row["operator"]
        stem = re.sub(r"\W+", "_", operator).strip("_")
        file = f"{stem}_{self.numbers[stem]:03}.py"
        self.numbers[stem] += 1
        (self.path / file).write_text(row["text"], encoding="utf-8")
        self.instances.append({"file": file, "operator": operator, "name": row["name"],
                               "parameters": [{"name": key, "value": value} for key, value in row["parameters"]],
                               "dispatched": [self._place(call) for call in row["dispatched"]]})
        if row["call"]:
            self.calls.append({"operator": operator, **row["call"]})

    def _place(self, call):
        return self.dispatched.setdefault(json.dumps(call), len(self.dispatched))

    def leave_out(self, operator, reason, count=1):
        self.left_out[operator, reason] += count

    def close(self):
        left_out = [{"operator": operator, "reason": reason, "count": count}
                    for (operator, reason), count in sorted(self.left_out.items())]
        self._write(OPERATORS, {"version": 1, "calls": self.calls})
        self._write(NAME, {"version": VERSION, "source": self.source, "torch": torch.__version__, "instances": self.instances,
                     "dispatched": [json.loads(call) for call in self.dispatched],
                     "counts": dict(sorted(self.counts.items())), "left_out": left_out})

    def _write(self, name, whole):
        text = json.dumps(whole, indent=1, allow_nan=False)
        fresh = self.path / (name + f".{os.getpid()}")
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(self.path / name)
