"""The folder of a harvest: program files, instances.json that says what they are, and operators.json.

    version     2
    source      "opinfo" or "run"
    torch       the version that the calls were made on
    instances   [{"file", "operator", "name", "parameters": [{"name", "value"}], "dispatched"}] in the order of harvesting;
                "dispatched" are places in the list of that name
    dispatched  [{"operator", "parameters"}], the different ATen calls that the programs dispatch to (see dispatched)
    counts      {operator: calls in what was harvested, equal ones too}
    left_out    [{"operator", "reason", "count"}]

It is written anew every hundred programs. unlisted.txt has the names of those that were written since; it is gone when the
harvest has ended.

The value of a parameter: null, bool, int, float, text (enumerations, dtypes, names) or a list of values as they are;
{"float": "nan"}, {"complex": [text, text]}; {"tensor": dtype, "shape": [...]}.

operators.json has the calls that can stand in a graph (see as_operator): {"version": 1, "calls": [{"operator", "text",
"several", "bound", "gradients", "levels", "exact", "arguments": [{"text", "free", "dtype", "shape", "strides", "low", "high",
"overlaps"}], "results": [{"of", "dtype", ...}]}]}. A level says where the results lie if the arguments lie inside intervals:
{"arguments": [[low, high] or null of one that is not free], "results": [[low, high]]}; the widest is the first. Without levels
the results are elements of the free arguments, below `bound`, and the recorded results'.
"""

import collections
import contextlib
import errno
import json
import os
import pathlib
import re

import torch

NAME = "instances.json"
VERSION = 2
OPERATORS = "operators.json"
UNLISTED = "unlisted.txt"
EVERY = 100  # programs


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
    """Takes program files in, and writes the manifest. What an earlier harvest left in it goes when the first file comes."""

    def __init__(self, path, source):
        self.path = pathlib.Path(path)
        self.source = source
        self.instances = []
        self.dispatched = {}  # text of an ATen call: its place
        self.calls = []
        self.counts = collections.Counter()
        self.left_out = collections.Counter()
        self.numbers = collections.Counter()
        self.begun = False

    def check(self):
        """Makes the folder, and changes nothing in it. Raises BadUse where it can't be written, or isn't a harvest's."""
        with self._refusing():
            self.path.mkdir(parents=True, exist_ok=True)
            if not os.access(self.path, os.W_OK | os.X_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            self._earlier()

    def _begin(self):
        """What an earlier harvest left goes. Raises BadUse."""
        if self.begun:
            return
        with self._refusing():
            for name in self._earlier():
                (self.path / name).unlink(missing_ok=True)
            self._list()
            self._write(OPERATORS, {"version": 1, "calls": []})
        self.begun = True

    def _earlier(self):
        """Names of the program files of an earlier harvest, of one that was killed too."""
        found = [one.name for one in self.path.iterdir()]
        if found and NAME not in found:
            raise BadUse(f"the folder {self.path} holds something else than a harvest: name another with --out")
        listed = json.loads((self.path / NAME).read_text(encoding="utf-8"))["instances"] if found else []
        names = [row["file"] for row in listed]
        if UNLISTED in found:
            names += (self.path / UNLISTED).read_text(encoding="utf-8").split()
        return [pathlib.Path(name).name for name in names]

    @contextlib.contextmanager
    def _refusing(self):
        try:
            yield
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = error.strerror if isinstance(error, OSError) else "its instances.json is damaged"
            raise BadUse(f"can't write into the folder {self.path}: {why}") from None

    def add(self, row):
        """Keeps a program, and its call for graphs: {"operator", "name", "parameters", "dispatched", "text", "call"}."""
        self._begin()
        operator = row["operator"]
        stem = re.sub(r"\W+", "_", operator).strip("_")
        file = f"{stem}_{self.numbers[stem]:03}.py"
        self.numbers[stem] += 1
        with (self.path / UNLISTED).open("a", encoding="utf-8") as unlisted:
            unlisted.write(file + "\n")
        (self.path / file).write_text(row["text"], encoding="utf-8")
        self.instances.append({"file": file, "operator": operator, "name": row["name"],
                               "parameters": [{"name": key, "value": value} for key, value in row["parameters"]],
                               "dispatched": [self._place(call) for call in row["dispatched"]]})
        if row["call"]:
            self.calls.append({"operator": operator, **row["call"]})
        if len(self.instances) % EVERY == 0:
            self._list()

    def _place(self, call):
        return self.dispatched.setdefault(json.dumps(call), len(self.dispatched))

    def leave_out(self, operator, reason, count=1):
        self.left_out[operator, reason] += count

    def close(self):
        self._begin()
        self._write(OPERATORS, {"version": 1, "calls": self.calls}, indent=1)
        self._list(indent=1)

    def _list(self, indent=None):
        """Writes the manifest of what is there. Without an indent that is six times as fast."""
        left_out = [{"operator": operator, "reason": reason, "count": count}
                    for (operator, reason), count in sorted(self.left_out.items())]
        self._write(NAME, {"version": VERSION, "source": self.source, "torch": torch.__version__, "instances": self.instances,
                           "dispatched": [json.loads(call) for call in self.dispatched],
                           "counts": dict(sorted(self.counts.items())), "left_out": left_out}, indent)
        (self.path / UNLISTED).unlink(missing_ok=True)

    def _write(self, name, whole, indent=None):
        text = json.dumps(whole, indent=indent, allow_nan=False)
        fresh = self.path / (name + f".{os.getpid()}")
        fresh.write_text(text + "\n", encoding="utf-8")
        fresh.replace(self.path / name)
