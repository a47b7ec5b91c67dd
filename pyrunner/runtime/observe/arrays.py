"""Records of numpy's arrays and scalars, if numpy is imported."""

import sys

import torch


def _numpy():
    return sys.modules.get("numpy")


def is_array(x):
    numpy = _numpy()
    return numpy is not None and isinstance(x, numpy.ndarray)


def record(x, walk, name, depth):
    """The record of an array: as a tensor if torch has its dtype, otherwise by dtype, shape and contents. A masked one has
    a mask, too."""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(x, masked.MaskedArray):
        return walk.labelled(name, {"data": masked.getdata(x), "mask": masked.getmaskarray(x)}, depth)
    try:
        # Torch takes neither negative steps nor memory that can't be written.
        plain = x.flags.writeable and min(x.strides, default=0) >= 0
        tensor = torch.from_numpy(x if plain else x.copy())
    except (TypeError, ValueError):  # dtypes and strides that torch lacks
        held = x.ravel().tolist() if x.dtype.hasobject else x.tobytes()
        return walk.labelled(name, {"dtype": str(x.dtype), "shape": tuple(x.shape), "elements": held}, depth)
    index = walk.observer.tensor(tensor, keep=False)
    walk.observer.tensors[index]["identity"] = walk.observer.identity(x)
    return {"kind": "tensor", "type": name, "index": index}


def scalar(x):
    """The record of a numpy scalar without its type; None for anything else."""
    numpy = _numpy()
    if numpy is None or not isinstance(x, numpy.generic):
        return None
    if isinstance(x, numpy.bool_):
        return {"kind": "bool", "text": str(bool(x))}
    if isinstance(x, numpy.integer) and not isinstance(x, numpy.timedelta64):
        return {"kind": "int", "text": str(int(x))}
    if isinstance(x, (numpy.float16, numpy.float32, numpy.float64)):
        return {"kind": "float", "text": float(x).hex()}
    if isinstance(x, (numpy.complex64, numpy.complex128)):
        return {"kind": "complex", "text": f"{float(x.real).hex()} {float(x.imag).hex()}"}
    return {"kind": "opaque", "text": repr(x)}
