"""ONNX operators as torch calls, each in a model of its own that is imported and compared with onnx's evaluator.

    python onnx_test.py

Ends with 77 where the Python that runs torch has no package onnx.
"""

import pathlib
import sys
import tempfile
import warnings

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "pyrunner"))

try:
    import numpy as np
    import onnx
    from onnx import TensorProto, helper, numpy_helper
except ImportError:
    print("no package onnx here: skipped")
    sys.exit(77)

import torch  # noqa: E402
from importing import CannotImport, main  # noqa: E402
from importing.onnx_operators import OPERATORS  # noqa: E402

FLOAT, INT, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL
X, IMAGE, SMALL, FLAGS = (FLOAT, [2, 3, 4]), (FLOAT, [2, 3, 7, 8]), (INT, [2, 3]), (BOOL, [2, 3])
WEIGHT = np.random.default_rng(0).standard_normal((4, 3, 3, 3)).astype("f")
NORM = {name: np.arange(1, 4, dtype="f") / 2 for name in ("scale", "bias", "mean", "variance")}
CASES = []  # (kind, inputs, attributes, outputs, opset)


def case(kind, *inputs, opset=17, outputs=1, **attributes):
    """An input is (type, shape), an array (an initializer), or None."""
    CASES.append((kind, inputs, attributes, outputs, opset))


def ints(*items):
    return np.array(items, dtype=np.int64)


for one in """Abs Acos Acosh Asin Asinh Atan Atanh Ceil Celu Cos Cosh Dropout Elu Erf Exp Flatten Floor GlobalAveragePool
GlobalMaxPool HardSigmoid HardSwish Identity IsNaN LeakyRelu Log LogSoftmax Mish Neg Reciprocal Relu Round Selu Shape Shrink
Sigmoid Sign Sin Sinh Size Softmax Softplus Softsign Sqrt Squeeze Tan Tanh ThresholdedRelu Transpose Trilu""".split():
    case(one, X, opset=18)
case("Not", FLAGS)
case("Gelu", X, opset=20)
for one in ("Add", "Sub", "Mul", "Div", "Pow", "Max", "Min", "Sum", "Mean", "Equal", "Greater", "Less", "GreaterOrEqual",
            "LessOrEqual"):
    case(one, X, (FLOAT, [3, 1]))
for one in ("Add", "Sub", "Mul", "Max", "Min", "Equal", "Less", "BitwiseAnd", "BitwiseOr", "BitwiseXor"):
    case(one, SMALL, (INT, [3]), opset=18)
for one in ("And", "Or", "Xor"):
    case(one, FLAGS, (BOOL, [3]))
case("BitwiseNot", SMALL, opset=18)
case("PRelu", X, (FLOAT, [3, 1]))
case("Div", SMALL, ints(2, 3, -2))
case("Mod", SMALL, ints(2, 3, -2))
case("Mod", X, X, fmod=1)
for one in "Sum Mean Max Min Prod L1 L2 SumSquare LogSum LogSumExp".split():
    case(f"Reduce{one}", X, keepdims=0, opset=11)
    case(f"Reduce{one}", X, axes=[0, -1], opset=11)
    case(f"Reduce{one}", X, ints(1), keepdims=0, opset=18)
case("ReduceSum", X, noop_with_empty_axes=1)
for one in ("ArgMax", "ArgMin"):
    case(one, X, axis=1, keepdims=0)
    case(one, (INT, [2, 9]), axis=1, select_last_index=1)
case("MatMul", X, (FLOAT, [4, 5]))
case("Gemm", (FLOAT, [4, 3]), (FLOAT, [5, 4]), (FLOAT, [5]), transA=1, transB=1, alpha=0.5, beta=2.0)
case("Einsum", (FLOAT, [2, 3]), (FLOAT, [3, 4]), equation="ij,jk->ki")
case("Conv", IMAGE, WEIGHT, np.ones(4, "f"), strides=[2, 1], pads=[1, 1, 1, 1])
case("Conv", IMAGE, WEIGHT, pads=[0, 1, 2, 1], dilations=[2, 1])
case("Conv", IMAGE, WEIGHT, auto_pad="SAME_UPPER", strides=[2, 2])
case("Conv", (FLOAT, [1, 2, 9]), WEIGHT[:, :1, 0], group=2)
case("ConvTranspose", IMAGE, WEIGHT[:3, :2], strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])
for one, more in (("MaxPool", {}), ("AveragePool", {"count_include_pad": 1})):
    case(one, IMAGE, kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 1, 0])
    case(one, IMAGE, kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    case(one, IMAGE, kernel_shape=[3, 3], pads=[0, 1, 2, 1], **more)
case("BatchNormalization", IMAGE, NORM["scale"], NORM["bias"], NORM["mean"], NORM["variance"])
case("InstanceNormalization", IMAGE, NORM["scale"], NORM["bias"])
case("LayerNormalization", (FLOAT, [2, 3]), NORM["scale"], NORM["bias"])
case("LRN", IMAGE, size=3)
case("Clip", X, np.float32(-0.5), np.float32(0.5))
case("Clip", X, None, np.float32(0.5))
case("Clip", X, min=-0.1, max=0.2, opset=6)
for number in (TensorProto.INT32, BOOL, TensorProto.DOUBLE, TensorProto.FLOAT16):
    case("Cast", X, to=number)
case("CastLike", X, (INT, [1]))
case("Where", (BOOL, [3, 4]), X, (FLOAT, [4]))
case("Concat", X, (FLOAT, [2, 1, 4]), axis=1)
case("Split", X, ints(1, 3), axis=2, outputs=2)
case("Split", X, axis=2, num_outputs=2, outputs=2, opset=18)
case("Slice", X, ints(0, -1), ints(2, -100), ints(1, 2), ints(1, -1))
case("Slice", X, ints(3), ints(0), ints(2), ints(-2))
case("Slice", X, starts=[1], ends=[3], axes=[2], opset=9)
case("Gather", X, ints([0, -1], [2, 1]), axis=1)
case("Gather", X, np.array(1), axis=0)
case("GatherElements", (FLOAT, [2, 2]), ints([0, -1], [1, 1]), axis=1)
case("GatherND", X, ints([0, 2], [1, 1]))
case("ScatterND", X, ints([0, 2], [1, 1]), (FLOAT, [2, 4]))
case("ScatterElements", (FLOAT, [3, 3]), ints([0, -1]), (FLOAT, [1, 2]), axis=1)
case("Expand", (FLOAT, [3, 1]), ints(2, 1, 4))
case("Tile", (FLOAT, [3, 1]), ints(2, 3))
case("Reshape", X, ints(0, -1))
case("Unsqueeze", X, ints(0, -1))
case("Squeeze", (FLOAT, [1, 3, 1]), ints(0))
case("Transpose", X, perm=[1, 2, 0])
case("TopK", X, ints(2), axis=1, largest=0, outputs=2)
for mode in ("constant", "reflect", "edge", "wrap"):
    case("Pad", IMAGE, ints(0, 0, 1, 2, 0, 0, 2, 0), mode=mode, opset=19)
case("Pad", (FLOAT, [3, 4]), ints(1, 1, 2, 0), mode="reflect")
case("Pad", (FLOAT, [3, 4]), ints(0, 0, 0, 0), mode="edge")
case("Pad", IMAGE, ints(0, 1, 0, 2, 0, 0, 0, 0), np.float32(3))
case("Resize", IMAGE, None, np.array([1, 1, 2, 1.5], "f"), mode="nearest", coordinate_transformation_mode="asymmetric",
     nearest_mode="floor")
for more in ({"mode": "linear"}, {"mode": "linear", "coordinate_transformation_mode": "align_corners"},
             {"mode": "cubic", "cubic_coeff_a": -0.75}):
    case("Resize", IMAGE, None, None, ints(2, 3, 10, 5), **more)
case("SpaceToDepth", (FLOAT, [1, 2, 4, 6]), blocksize=2)
for mode in ("DCR", "CRD"):
    case("DepthToSpace", (FLOAT, [1, 8, 2, 3]), blocksize=2, mode=mode)
case("CumSum", X, np.array(1))
for axis in (0, 1, 2):
    case("Softmax", X, axis=axis, opset=11)
case("ConstantOfShape", ints(2, 3), value=helper.make_tensor("value", FLOAT, [1], [2.5]))
case("Range", np.array(0), np.array(7), np.array(2))
case("Trilu", X, np.array(-1), upper=0)

# Can't stand alone in a model; `whole` has it.
UNTESTED = {"Constant"}


def saved(path, nodes, inputs, initializers, outputs, opset):
    graph = helper.make_graph(nodes, "graph", inputs, [helper.make_empty_tensor_value_info(name) for name in outputs],
                              initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 8
    onnx.save(onnx.shape_inference.infer_shapes(model), path)


def write(path, kind, inputs, attributes, outputs, opset):
    names, given, initializers = [], [], []
    for at, one in enumerate(inputs):
        names.append("" if one is None else f"x{at}")
        if isinstance(one, tuple):
            given.append(helper.make_tensor_value_info(names[-1], *one))
        elif one is not None:
            initializers.append(numpy_helper.from_array(np.asarray(one), names[-1]))
    results = [f"y{at}" for at in range(outputs)]
    saved(path, [helper.make_node(kind, names, results, **attributes)], given, initializers, results, opset)


def imported(path):
    return main.flattened(main.original_of(str(path), main.parsed(["--out", "-", "--", str(path)])))


def operators(folder):
    """Each case gives the same bits as its nodes, and what onnx's evaluator gives where that one can be asked."""
    failed, compared = [], 0
    for number, (kind, *rest) in enumerate(CASES):
        path = folder / f"{number}_{kind}.onnx"
        try:
            write(path, kind, *rest)
            _, found, agrees = imported(path)
        except Exception as error:
            agrees, found = False, f"{type(error).__name__}: {error}"
        compared += "within rounding" in found
        if not agrees or "only" in found:
            failed.append(f"{kind} {rest[1]}: {found}")
    assert not failed, "\n".join(failed)
    assert compared >= len(CASES) - 12, f"{compared} of {len(CASES)} compared"
    missing = set(OPERATORS) - {kind for kind, *_ in CASES} - UNTESTED
    assert not missing, f"no case for {sorted(missing)}"


def whole(folder):
    """A model whose shapes are computed, as exporters write them; the shapes become numbers, nothing of them is left."""
    nodes = [helper.make_node("Constant", [], ["zero"], value=helper.make_tensor("value", INT, [1], [0])),
             helper.make_node("Constant", [], ["rest"], value=helper.make_tensor("value", INT, [1], [-1])),
             helper.make_node("Conv", ["image", "weight"], ["a"], pads=[1, 1, 1, 1]), helper.make_node("Relu", ["a"], ["b"]),
             helper.make_node("Shape", ["b"], ["sizes"]), helper.make_node("Gather", ["sizes", "zero"], ["first"]),
             helper.make_node("Concat", ["first", "rest"], ["shape"], axis=0),
             helper.make_node("Reshape", ["b", "shape"], ["c"]), helper.make_node("MatMul", ["c", "matrix"], ["d"]),
             helper.make_node("Softmax", ["d"], ["y"], axis=-1)]
    matrix = np.random.default_rng(1).standard_normal((224, 60)).astype("f")
    initializers = [numpy_helper.from_array(WEIGHT, "weight"), numpy_helper.from_array(matrix, "matrix")]
    saved(folder / "whole.onnx", nodes, [helper.make_tensor_value_info("image", *IMAGE)], initializers, ["y"], 17)
    text, found, agrees = imported(folder / "whole.onnx")
    assert agrees and "within rounding" in found and "1 of them drawn" in found, found
    body = text.partition("def program(")[2]
    calls = [line.split("(")[0].split("= ")[-1].strip() for line in body.splitlines() if "= " in line]
    assert calls == ["torch.conv2d", "torch.relu", "torch.reshape", "torch.matmul", "torch.softmax"], body
    assert "torch.reshape(v4, [2, -1])" in body, body


def refusals(folder):
    for kind, word in (("NonZero", "NonZero"), ("GRU", "GRU")):
        graph = helper.make_graph([helper.make_node(kind, ["x"] * (3 if kind == "GRU" else 1), ["y"])], "graph",
                                  [helper.make_tensor_value_info("x", FLOAT, [2, 3, 4])],
                                  [helper.make_tensor_value_info("y", INT if kind == "NonZero" else FLOAT, ["a", "b"])])
        onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), folder / "refused.onnx")
        try:
            imported(folder / "refused.onnx")
        except CannotImport as failure:
            assert word in str(failure), failure
        else:
            raise AssertionError(f"{kind} is imported")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory(prefix="jitprobe-onnx-") as name:
        operators(pathlib.Path(name))
        whole(pathlib.Path(name))
        refusals(pathlib.Path(name))
    print(f"{len(CASES)} ONNX operators in models of their own agree")
