"""How a private name is declared, looked up, and reported when it is missing.

A table of names provides the attributes of its module: each name is looked up when it is first used, and is an ordinary
global from then on. `missing()` looks up all of them.
"""

import importlib
import warnings

ABSENT = object()


class Lacks(BaseException):
    """A name without a substitute is missing; the text is a sentence that names it and says what can't be done."""


class Name:
    """A private name of torch or Python.

    `paths`: its dotted path, or several that are needed together; "()" after a part calls it. `lost`: what is lost if
    one of them is missing. `make`: builds the value from the objects at the paths (by default the value is the first of
    them); an exception in it counts as missing. `instead`: the value if something is missing; without it, using the
    name raises Lacks. `isolates`: without this name, a run may leave something behind that can't be restored, so no two
    runs may share a process.
    """

    def __init__(self, paths, lost, make=None, instead=ABSENT, isolates=False):
        self.paths = (paths,) if isinstance(paths, str) else tuple(paths)
        self.lost = lost
        self.make = make
        self.instead = instead
        self.isolates = isolates

    def find(self):
        """The value (ABSENT if there is none), and the paths that are missing."""
        found, missing = [], []
        for path in self.paths:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # for deprecated names
                    found.append(resolve(path))
            except Exception:  # importing a private module may raise anything
                missing.append(path)
        if not missing:
            try:
                return (self.make(*found) if self.make else found[0]), []
            except Exception:  # the name exists, but is not what `make` expects
                missing = list(self.paths)
        return self.instead, missing


def resolve(path):
    """The object at a dotted path. Modules on the path are imported; "torch.nn.Module()" calls."""
    first, *parts = path.split(".")
    value, reached = importlib.import_module(first), first
    for part in parts:
        name = part.removesuffix("()")
        reached += "." + name
        try:
            value = getattr(value, name)
        except AttributeError:
            value = importlib.import_module(reached)
        if name != part:
            value = value()
    return value


class Table:
    """The names of one module, to be assigned to its `__getattr__`."""

    def __init__(self, owner, module, names):
        for key in names:
            if key in module:  # it would never be looked up
                raise NameError(f"{module['__name__']} defines {key} itself")
        self._owner = owner
        self._module = module
        self._names = names
        self._missing = {}

    def __call__(self, key):
        name = self._names.get(key)
        if name is None:
            raise AttributeError(f"there is no {key} in {self._module['__name__']}")
        value, missing = name.find()
        if missing:
            self._missing[key] = missing
        if value is ABSENT:
            self._raise(key)
        self._module[key] = value
        return value

    def has(self, key):
        """Whether all paths of the name are there."""
        if key not in self._module and key not in self._missing:
            try:
                self(key)
            except Lacks:
                pass
        return key not in self._missing

    def need(self, *losses):
        """Raises Lacks if a name is missing whose `lost` is one of these."""
        for key, name in self._names.items():
            if name.lost in losses and not self.has(key):
                self._raise(key)

    def _raise(self, key):
        missing = " and ".join(self._missing[key])
        raise Lacks(f"this {self._owner} lacks {missing}: {self._names[key].lost}")

    def missing(self):
        """[{"name": path, "lost": sentence}] of all missing paths, in the order of the table."""
        absent = [key for key in self._names if not self.has(key)]
        return [{"name": path, "lost": self._names[key].lost} for key in absent for path in self._missing[key]]

    def isolates(self):
        """Whether all names that keep runs in one process apart are there."""
        return all(self.has(key) for key, name in self._names.items() if name.isolates)

    def paths(self):
        """All paths of the table."""
        return [path for name in self._names.values() for path in name.paths]
