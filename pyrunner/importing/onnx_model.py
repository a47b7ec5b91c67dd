"""An ONNX model as an Original: its nodes run one after the other, each as the torch calls that `onnx_operators` has for
it. What the package onnx's own evaluator gives for the same arguments is the reference."""

import pathlib
import sys

import torch

from harvest import check

from . import CannotImport, Original
from .draw import drawn


def _package():
    try:
        import onnx
        import onnx.numpy_helper
    except ImportError as error:
        raise CannotImport(f"ONNX models need the packages onnx and numpy in the Python that runs torch ({error.name} is "
                           f"missing): {sys.executable} -m pip install onnx numpy") from None
    return onnx


def tensor_of(proto, onnx):
    """A tensor of an ONNX file. Raises CannotImport."""
    try:
        array = onnx.numpy_helper.to_array(proto)
        return torch.from_numpy(array.copy())
    except Exception as error:
        raise CannotImport(f"its tensor {proto.name!r} can't be read: {check.short(error)}") from None


class Node:
    """A node with its attributes as Python values."""

    def __init__(self, proto, opset, onnx):
        self.kind = proto.op_type
        self.opset = opset
        self.inputs = list(proto.input)
        self.outputs = list(proto.output)
        self.attributes = {}
        for one in proto.attribute:
            value = onnx.helper.get_attribute_value(one)
            if isinstance(value, onnx.TensorProto):
                value = tensor_of(value, onnx)
            elif isinstance(value, onnx.GraphProto):
                raise CannotImport(f"its operator {self.kind} runs a graph of its own")
            elif isinstance(value, bytes):
                value = value.decode(errors="replace")
            self.attributes[one.name] = value

    def __call__(self, name, default=None):
        return self.attributes.get(name, default)


def _opset(model):
    for one in model.opset_import:
        if one.domain in ("", "ai.onnx"):
            return one.version
    raise CannotImport("it names no version of ONNX's operators")


def _nodes(model, onnx):
    from .onnx_operators import OPERATORS

    opset = _opset(model)
    unknown = sorted({f"{one.domain}.{one.op_type}".lstrip(".") for one in model.graph.node
                      if one.op_type not in OPERATORS or one.domain not in ("", "ai.onnx")})
    if unknown:
        raise CannotImport(f"no torch calls are known for its operators {', '.join(unknown)}")
    return [Node(one, opset, onnx) for one in model.graph.node]


def _arguments(model, weights, onnx, seed):
    """({name: tensor} that the model is called with)."""
    generator = torch.Generator().manual_seed(seed)
    found = {}
    for one in model.graph.input:
        if one.name in weights:
            continue
        kind = one.type.tensor_type
        if not one.type.HasField("tensor_type"):
            raise CannotImport(f"its argument {one.name!r} is no tensor")
        if not kind.HasField("shape"):
            raise CannotImport(f"its argument {one.name!r} has no shape")
        shape = [size.dim_value if size.HasField("dim_value") else 2 for size in kind.shape.dim]
        dtype = tensor_of(onnx.helper.make_tensor("argument", kind.elem_type, [0], []), onnx).dtype
        found[one.name] = drawn(shape, dtype, generator)
    return found


class Runner:
    """Runs the nodes."""

    def __init__(self, model, nodes, weights, names):
        self.results = [one.name for one in model.graph.output]
        self.nodes = nodes
        self.weights = weights
        self.names = names

    def __call__(self, *args):
        from .onnx_operators import OPERATORS, NotKnown

        values = dict(self.weights) | dict(zip(self.names, args))
        for node in self.nodes:
            given = [values[name] if name else None for name in node.inputs]
            try:
                gave = OPERATORS[node.kind](node, *given)
            except NotKnown as missing:
                raise CannotImport(f"its operator {node.kind} has {missing}, which no torch calls are known for") from None
            except CannotImport:
                raise
            except Exception as error:
                raise CannotImport(f"its operator {node.kind} can't be run: {check.short(error)}") from None
            gave = gave if isinstance(gave, (tuple, list)) else (gave,)
            values |= {name: value for name, value in zip(node.outputs, gave) if name}
        return tuple(values[name] for name in self.results)


# What onnx's own evaluator computes otherwise than its specification says (1.23): all samples' first channels, no channels,
# later versions' softmax, pads in another order.
_MISTAKEN = {"LRN": lambda node: True, "GlobalMaxPool": lambda node: True, "Softmax": lambda node: node.opset < 13,
             "LogSoftmax": lambda node: node.opset < 13,
             "MaxPool": lambda node: (pads := node("pads", [])) and pads[: len(pads) // 2] != pads[len(pads) // 2 :]}


def _reference(model, nodes, names):
    def run(args):
        if mistaken := sorted({node.kind for node in nodes if node.kind in _MISTAKEN and _MISTAKEN[node.kind](node)}):
            raise CannotImport(f"{', '.join(mistaken)}: it doesn't follow the specification there")
        try:
            import numpy
            from onnx.reference import ReferenceEvaluator

            gave = ReferenceEvaluator(model).run(None, {name: one.detach().numpy() for name, one in zip(names, args)})
            return [torch.from_numpy(numpy.array(one)) for one in gave]
        except Exception as error:
            raise CannotImport(check.short(error)) from None

    return run


def original(path, options):
    """Raises CannotImport."""
    onnx = _package()
    try:
        model = onnx.load(path)
        onnx.checker.check_model(model)
    except Exception as error:
        raise CannotImport(f"it is no ONNX model: {check.short(error)}") from None
    nodes = _nodes(model, onnx)
    weights = {one.name: tensor_of(one, onnx) for one in model.graph.initializer}
    arguments = _arguments(model, weights, onnx, options.seed)
    return Original(title=f"{pathlib.Path(path).name}, an ONNX model, as a straight line; arguments are drawn.",
                    run=Runner(model, nodes, weights, list(arguments)), args=tuple(arguments.values()),
                    reference=_reference(model, nodes, list(arguments)))
