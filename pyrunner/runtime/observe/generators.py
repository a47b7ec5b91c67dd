"""States of random generators as text: of the global ones, and of those that a program makes."""

import hashlib
import random
import sys

import torch


def _digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def _of_torch(generator):
    return _digest(generator.get_state().numpy().tobytes())


def _of_python(state):
    return _digest(repr(state).encode())


def _of_numpy(state):
    """Of a dict that numpy gives, with arrays and dicts in it."""
    return _digest(repr(_plain(state)).encode())


def _plain(state):
    if isinstance(state, dict):
        return {key: _plain(part) for key, part in state.items()}
    return state.tolist() if hasattr(state, "tolist") else state


def state_of(x):
    """The state of a random generator of torch, Python or numpy, as text; None for anything else."""
    if isinstance(x, torch.Generator):
        return _of_torch(x)
    if type(x) is random.Random:
        return _of_python(x.getstate())
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(x, numpy.random.Generator):
        return _of_numpy(x.bit_generator.state)
    if numpy is not None and isinstance(x, numpy.random.RandomState):
        return _of_numpy(x.get_state(legacy=False))
    return None


def global_states():
    """{name: state} of the global generators, as names of modes; "" for numpy's if it is not imported."""
    numpy = sys.modules.get("numpy")
    return {
        "rng_torch": _of_torch(torch.random.default_generator),
        "rng_python": _of_python(random.getstate()),
        "rng_numpy": "" if numpy is None else _of_numpy(numpy.random.get_state(legacy=False)),
    }
