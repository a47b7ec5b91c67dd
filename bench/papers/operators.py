"""Operators that Isra (65 of ONNX, 2023) and jitprobe both have, ONNX's name and ours.

Isra's own list is not printed in its paper; these are 65 that the compilers it tests took from ONNX at the time.
"""

SHARED = {
    "Abs": "abs", "Acos": "acos", "Acosh": "acosh", "Add": "add", "And": "logical_and", "Asin": "asin",
    "Asinh": "asinh", "Atan": "atan", "Atanh": "atanh", "AveragePool": "avg_pool2d", "BatchNormalization": "batch_norm",
    "Ceil": "ceil", "Clip": "clamp", "Concat": "cat", "Conv": "conv2d", "Cos": "cos", "Cosh": "cosh", "Div": "div",
    "Elu": "elu", "Equal": "eq", "Erf": "erf", "Exp": "exp", "Expand": "expand", "Flatten": "flatten",
    "Floor": "floor", "Gather": "index_select", "Gemm": "addmm", "Greater": "gt", "HardSigmoid": "hardsigmoid",
    "Identity": "clone", "LeakyRelu": "leaky_relu", "Less": "lt", "Log": "log", "MatMul": "matmul", "Max": "maximum",
    "MaxPool": "max_pool2d", "Min": "minimum", "Mul": "mul", "Neg": "neg", "Not": "logical_not", "Or": "logical_or",
    "Pad": "pad", "Reciprocal": "reciprocal", "ReduceMax": "amax", "ReduceMean": "mean", "ReduceMin": "amin",
    "ReduceProd": "prod", "ReduceSum": "sum", "Relu": "relu", "Reshape": "reshape", "Sigmoid": "sigmoid",
    "Sign": "sign", "Sin": "sin", "Sinh": "sinh", "Slice": "narrow", "Softmax": "softmax", "Softplus": "softplus",
    "Softsign": "softsign", "SpaceToDepth": "pixel_unshuffle", "Sqrt": "sqrt", "Squeeze": "squeeze", "Sub": "sub",
    "Tan": "tan", "Tanh": "tanh", "Transpose": "permute",
}
