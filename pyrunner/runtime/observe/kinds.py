"""What objects of certain well-known types consist of."""

import argparse
import contextvars
import functools
import io
import types
import weakref

import torch

from . import generators

STREAMS = (io.StringIO, io.BytesIO)
# Of other types outside the program, names that begin with an underscore are the library's own.
OPEN = (types.SimpleNamespace, argparse.Namespace)
_WITH_STATE = (torch.amp.GradScaler, torch.optim.lr_scheduler.LRScheduler)
_UNSET = object()
_ARCHIVES = (b"PK", b"\x80")  # torch.save and pickle: they hold strides, storages and the bits of rounded numbers


def parts_of(x):
    """{name: value} of an object of such a type; None for others."""
    if isinstance(x, functools.partial):
        return {"func": x.func, "args": x.args, "keywords": x.keywords, **vars(x)}
    state = generators.state_of(x)
    if state is not None:
        return {"state": state}
    if isinstance(x, slice):
        return {"start": x.start, "stop": x.stop, "step": x.step}
    if isinstance(x, weakref.ref):
        return {"referent": x()}
    if isinstance(x, contextvars.ContextVar):
        value = x.get(_UNSET)
        return {"name": x.name} if value is _UNSET else {"name": x.name, "value": value}
    return None


def state_of(x):
    """What torch's schedulers and scalers say that their state is, as a dict with one entry; {} for anything else. They keep
    it in attributes that begin with an underscore."""
    if isinstance(x, _WITH_STATE) and type(x).__module__.split(".")[0] == "torch":
        return {"state_dict()": x.state_dict()}
    return {}


def stream(x):
    """The contents of a stream in memory, and the position in it. At its end that is no number: what was written may be
    longer by a rounded digit, or by the name of a function that a compiler made."""
    if x.closed:
        return {"closed": True}
    held = type(x).getvalue(x)
    if isinstance(held, bytes) and held.startswith(_ARCHIVES):
        return {"contents": "an archive"}
    position = type(x).tell(x)
    return {"contents": held, "position": "at the end" if position == len(held) else position}
